// Straight lines of any width, in pixels: WebGL's own are always one pixel wide.

import * as three from "three";
import { CUT } from "./shade";

export interface Segment {
  from: readonly [number, number, number];
  to: readonly [number, number, number];
  /** Pixels. */
  width: number;
  /** Linear, from 0 to 1, with opacity. */
  colour: readonly [number, number, number, number];
}

const FLOATS = 11;

export class Segments {
  readonly mesh: three.Mesh;
  readonly #uniforms: Record<string, three.IUniform>;
  readonly #geometry = new three.InstancedBufferGeometry();
  #data = new Float32Array(0);

  /** Lines that are never hidden are drawn over everything; a plane may cut them. */
  constructor(hidden: boolean, uCut: three.IUniform = { value: new three.Vector4(0, 0, 0, 1) }) {
    this.#uniforms = { uViewport: { value: new three.Vector2(1, 1) }, uCut };
    const corners = new Float32Array([0, -1, 0, 1, -1, 0, 1, 1, 0, 0, 1, 0]);
    this.#geometry.setAttribute("position", new three.BufferAttribute(corners, 3));
    this.#geometry.setIndex([0, 1, 2, 0, 2, 3]);
    this.#geometry.instanceCount = 0;
    const material = new three.ShaderMaterial({
      glslVersion: three.GLSL3,
      uniforms: this.#uniforms,
      vertexShader: VERTEX,
      fragmentShader: FRAGMENT,
      transparent: true,
      depthTest: hidden,
      depthWrite: false,
      side: three.DoubleSide,
    });
    this.mesh = new three.Mesh(this.#geometry, material);
    this.mesh.frustumCulled = false;
    this.mesh.renderOrder = 2;
  }

  get count(): number {
    return this.#geometry.instanceCount;
  }

  /** Pixels of the picture, and how many of them a CSS pixel has. */
  resize(width: number, height: number, ratio: number): void {
    this.#uniforms["uViewport"]!.value.set(width / ratio, height / ratio);
  }

  show(count: number, segment: (number: number) => Segment): void {
    if (this.#data.length < count * FLOATS) this.#grow(Math.ceil(count * 1.5) + 16);
    for (let number = 0; number < count; number += 1) {
      const { from, to, width, colour } = segment(number);
      this.#data.set([...from, ...to, width, ...colour], number * FLOATS);
    }
    const buffer = (this.#geometry.getAttribute("from") as three.InterleavedBufferAttribute | undefined)?.data;
    if (buffer !== undefined) buffer.needsUpdate = true;
    this.#geometry.instanceCount = count;
  }

  #grow(count: number): void {
    this.#data = new Float32Array(count * FLOATS);
    this.#geometry.dispose();
    const buffer = new three.InstancedInterleavedBuffer(this.#data, FLOATS);
    buffer.setUsage(three.DynamicDrawUsage);
    this.#geometry.setAttribute("from", new three.InterleavedBufferAttribute(buffer, 3, 0));
    this.#geometry.setAttribute("to", new three.InterleavedBufferAttribute(buffer, 3, 3));
    this.#geometry.setAttribute("width", new three.InterleavedBufferAttribute(buffer, 1, 6));
    this.#geometry.setAttribute("colour", new three.InterleavedBufferAttribute(buffer, 4, 7));
  }
}

const VERTEX = /* glsl */ `
  ${CUT}
  uniform vec2 uViewport;
  in vec3 from;
  in vec3 to;
  in float width;
  in vec4 colour;
  out vec4 vColour;
  out float vAcross;
  out float vWidth;
  out float vKept;

  void main() {
    vec4 a = modelViewMatrix * vec4(from, 1.0);
    vec4 b = modelViewMatrix * vec4(to, 1.0);
    // What is behind the viewer is cut off: it would be projected to the wrong side.
    float near = isOrthographic ? 1e30 : -1e-3 * max(abs(a.z), abs(b.z));
    if (a.z > near && b.z < near) a = mix(a, b, (a.z - near) / (a.z - b.z));
    if (b.z > near && a.z < near) b = mix(b, a, (b.z - near) / (b.z - a.z));
    vec4 start = projectionMatrix * a;
    vec4 end = projectionMatrix * b;
    vec2 way = (end.xy / end.w - start.xy / start.w) * uViewport;
    vec2 along = length(way) > 1e-6 ? normalize(way) : vec2(1.0, 0.0);
    vec4 place = position.x < 0.5 ? start : end;
    // Half a pixel more on each side, to fade out.
    float reach = width * 0.5 + 0.5;
    place.xy += (vec2(-along.y, along.x) * position.y + along * (position.x * 2.0 - 1.0) * 0.5)
      * reach * 2.0 / uViewport * place.w;
    vColour = colour;
    vAcross = position.y * reach;
    vWidth = width;
    vKept = keeps(position.x < 0.5 ? a.xyz : b.xyz);
    gl_Position = place;
  }
`;

const FRAGMENT = /* glsl */ `
  in vec4 vColour;
  in float vAcross;
  in float vWidth;
  in float vKept;
  layout(location = 0) out highp vec4 outColour;
  #define gl_FragColor outColour

  void main() {
    if (vKept < 0.0) discard;
    float edge = clamp(vWidth * 0.5 + 0.5 - abs(vAcross), 0.0, 1.0);
    outColour = vec4(vColour.rgb, vColour.a * edge);
    #include <colorspace_fragment>
  }
`;
