// Where bonds broke: a mark at the place and from the time at which it happened, with the mode as its colour. What has just broken
// stands out for a while.

import * as three from "three";
import { KINDS, parseColour } from "../colour";
import type { Breakages } from "../data/breakages";
import { CUT } from "./shade";

/** For this part of the run a mark stands out. */
const FRESH = 0.02;

export class BreakageMarks {
  readonly mesh: three.Points<three.BufferGeometry, three.ShaderMaterial>;
  readonly #uniforms: Record<string, three.IUniform>;

  constructor(uCut: three.IUniform) {
    this.#uniforms = { uTime: { value: 0 }, uFresh: { value: 1 }, uRatio: { value: 1 }, uCut };
    const material = new three.ShaderMaterial({
      glslVersion: three.GLSL3,
      uniforms: this.#uniforms,
      vertexShader: VERTEX,
      fragmentShader: FRAGMENT,
      transparent: true,
      // They are inside of what breaks.
      depthTest: false,
      depthWrite: false,
    });
    this.mesh = new three.Points(new three.BufferGeometry(), material);
    this.mesh.frustumCulled = false;
    this.mesh.renderOrder = 3;
  }

  resize(ratio: number): void {
    this.#uniforms["uRatio"]!.value = ratio;
  }

  set({ times, places, modes }: Breakages): void {
    const geometry = new three.BufferGeometry();
    const colours = Uint8Array.from({ length: 3 * modes.length }, (_, i) => parseColour(KINDS[modes[Math.floor(i / 3)]! % KINDS.length]!)[i % 3]!);
    geometry.setAttribute("position", new three.BufferAttribute(places, 3));
    geometry.setAttribute("colour", new three.BufferAttribute(colours, 3, true));
    geometry.setAttribute("since", new three.BufferAttribute(Float32Array.from(times), 1));
    this.mesh.geometry.dispose();
    this.mesh.geometry = geometry;
  }

  /** Of a run that takes so long, s. */
  show(time: number, duration: number): void {
    // The times of marks are in single precision, and one must not be late by that.
    this.#uniforms["uTime"]!.value = time + 1e-7 * Math.abs(time);
    this.#uniforms["uFresh"]!.value = Math.max(duration * FRESH, 1e-12);
  }
}

const VERTEX = /* glsl */ `
  ${CUT}
  uniform float uTime;
  uniform float uFresh;
  uniform float uRatio;
  in vec3 colour;
  in float since;
  out vec3 vColour;
  out float vFresh;

  void main() {
    vec4 place = modelViewMatrix * vec4(position, 1.0);
    float age = uTime - since;
    bool there = age >= 0.0 && keeps(place.xyz) >= 0.0;
    vColour = colour;
    vFresh = 1.0 - clamp(age / uFresh, 0.0, 1.0);
    // What has not broken yet is outside of the picture.
    gl_Position = there ? projectionMatrix * place : vec4(2.0, 2.0, 2.0, 1.0);
    gl_PointSize = uRatio * mix(4.0, 12.0, vFresh);
  }
`;

const FRAGMENT = /* glsl */ `
  in vec3 vColour;
  in float vFresh;
  layout(location = 0) out highp vec4 outColour;

  void main() {
    vec2 off = 2.0 * gl_PointCoord - 1.0;
    float from = length(off);
    float pixel = fwidth(from);
    float disc = 1.0 - smoothstep(1.0 - pixel, 1.0, from);
    if (disc <= 0.0) discard;
    // A dark rim, so that it is seen on bodies of any colour.
    float rim = smoothstep(0.72 - pixel, 0.72, from);
    outColour = vec4(mix(vColour, vec3(0.08), rim * mix(0.35, 0.75, vFresh)), disc * mix(0.45, 1.0, vFresh));
  }
`;
