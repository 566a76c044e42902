// What is behind everything: a soft gradient, drawn with the scene so that pictures and films have it too.

import * as three from "three";
import { type Look, linear } from "./look";

export class Backdrop {
  readonly mesh: three.Mesh;
  readonly #uniforms = { uTop: { value: new three.Color() }, uBottom: { value: new three.Color() } };

  constructor() {
    const geometry = new three.BufferGeometry();
    geometry.setAttribute("position", new three.BufferAttribute(new Float32Array([-1, -1, 0, 3, -1, 0, -1, 3, 0]), 3));
    const material = new three.ShaderMaterial({
      uniforms: this.#uniforms,
      depthTest: false,
      depthWrite: false,
      vertexShader: /* glsl */ `
        varying vec2 vPlace;
        void main() {
          vPlace = position.xy;
          gl_Position = vec4(position.xy, 1.0, 1.0);
        }`,
      fragmentShader: /* glsl */ `
        uniform vec3 uTop;
        uniform vec3 uBottom;
        varying vec2 vPlace;
        void main() {
          float up = smoothstep(-1.2, 1.0, vPlace.y - 0.15 * dot(vPlace, vPlace));
          // Grain of half a step keeps the gradient from showing bands.
          float grain = fract(sin(dot(gl_FragCoord.xy, vec2(12.9898, 78.233))) * 43758.5453) - 0.5;
          gl_FragColor = vec4(mix(uBottom, uTop, up), 1.0);
          #include <colorspace_fragment>
          gl_FragColor.rgb += grain / 255.0;
        }`,
    });
    this.mesh = new three.Mesh(geometry, material);
    this.mesh.frustumCulled = false;
    this.mesh.renderOrder = -1;
  }

  dress(look: Look): void {
    this.#uniforms.uTop.value.setRGB(...linear(look.top));
    this.#uniforms.uBottom.value.setRGB(...linear(look.bottom));
  }
}
