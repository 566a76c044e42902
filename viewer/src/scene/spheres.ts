// All spheres in one draw call: squares that face the viewer, in which a shader finds the ball and its true depth.
//
// A square has four corners where a ball of triangles has hundreds, and the ball is round at any distance. Edges are
// smoothed by the coverage of multisampling, since the silhouette is not one of triangles.

import * as three from "three";
import { AMOUNTS, KINDS, table } from "../colour";
import type { Colouring } from "../colouring";
import type { Trajectory } from "../data/trajectory";
import { type Instant, periods } from "../interpolation";
import type { Range } from "../range";
import { POSE, WIDTH } from "./pose";
import { CUT, LINEAR, SHADE, SHADOW } from "./shade";

/** The textures of one frame. */
class Slot {
  place = placeTexture(1);
  turn = turnTexture(1);
  key = "";

  grow(rows: number): void {
    if (rows <= this.place.image.height) return;
    const height = 2 ** Math.ceil(Math.log2(rows));
    this.dispose();
    [this.place, this.turn, this.key] = [placeTexture(height), turnTexture(height), ""];
  }

  dispose(): void {
    this.place.dispose();
    this.turn.dispose();
  }
}

export class Spheres {
  readonly mesh: three.Mesh;
  /** The same spheres for the pass that finds shadows. */
  readonly caster: three.Mesh;
  readonly uniforms: Record<string, three.IUniform>;
  #slots: [Slot, Slot] = [new Slot(), new Slot()];
  #geometry = new three.InstancedBufferGeometry();
  #list = -1;
  #maps = { amount: mapTexture(AMOUNTS, true), kind: mapTexture(KINDS, false) };

  /** Light, shadow and the plane that cuts have the same uniforms everywhere. */
  constructor(shared: Record<string, three.IUniform>) {
    this.uniforms = {
      ...shared,
      uPlaceA: { value: null },
      uPlaceB: { value: null },
      uTurnA: { value: null },
      uTurnB: { value: null },
      uMix: { value: 0 },
      uPeriod: { value: new three.Vector3() },
      uPixel: { value: 0.001 },
      uMap: { value: null },
      uRange: { value: new three.Vector2(0, 1) },
      uLog: { value: false },
      uKinds: { value: 0 },
      uPicked: { value: -1 },
      uDim: { value: 0 },
      uDimTo: { value: new three.Color() },
    };
    const corners = new Float32Array([-1, -1, 0, 1, -1, 0, 1, 1, 0, -1, 1, 0]);
    this.#geometry.setAttribute("position", new three.BufferAttribute(corners, 3));
    this.#geometry.setIndex([0, 1, 2, 0, 2, 3]);
    const common = { glslVersion: three.GLSL3, uniforms: this.uniforms };
    const drawn = new three.ShaderMaterial({ ...common, vertexShader: VERTEX, fragmentShader: FRAGMENT });
    drawn.alphaToCoverage = true;
    const cast = new three.ShaderMaterial({ ...common, vertexShader: CAST_VERTEX, fragmentShader: CAST_FRAGMENT });
    cast.side = three.DoubleSide;
    this.mesh = new three.Mesh(this.#geometry, drawn);
    this.caster = new three.Mesh(this.#geometry, cast);
    this.mesh.frustumCulled = this.caster.frustumCulled = false;
  }

  /** Number of spheres. */
  get count(): number {
    return this.#geometry.instanceCount;
  }

  show(trajectory: Trajectory, instant: Instant, colouring: Colouring): void {
    const { moment, a } = instant;
    if (a.list !== this.#list) this.#rebuild(trajectory, instant);
    const key = (frame: number) => `${frame} in ${a.list} by ${colouring.name}`;
    if (this.#slots[0].key !== key(moment.a) && this.#slots[1].key === key(moment.a)) this.#slots.reverse();
    this.#fill(this.#slots[0], key(moment.a), instant, "a", colouring);
    this.#fill(this.#slots[1], key(moment.b), instant, "b", colouring);
    const [from, to] = this.#slots;
    const { uPlaceA, uPlaceB, uTurnA, uTurnB, uMix } = this.uniforms;
    [uPlaceA!.value, uPlaceB!.value, uTurnA!.value, uTurnB!.value] = [from.place, to.place, from.turn, to.turn];
    uMix!.value = moment.mix;
    this.uniforms["uPeriod"]!.value.set(...periods(trajectory.header!.periodic));
  }

  colour(colouring: Colouring, range: Range): void {
    this.uniforms["uMap"]!.value = this.#maps[colouring.kind];
    this.uniforms["uKinds"]!.value = colouring.kind === "kind" ? KINDS.length : 0;
    this.uniforms["uRange"]!.value.set(range.low, range.high);
    this.uniforms["uLog"]!.value = range.log;
  }

  /** A body of the list that holds now, or −1. */
  highlight(row: number): void {
    this.uniforms["uPicked"]!.value = row;
  }

  #fill(slot: Slot, key: string, instant: Instant, which: "a" | "b", colouring: Colouring): void {
    const { a, list, rows } = instant;
    slot.grow(Math.ceil(Math.max(a.bodies, 1) / WIDTH));
    if (slot.key === key) return;
    slot.key = key;
    const place = slot.place.image.data as Float32Array;
    const turns = slot.turn.image.data as Int16Array;
    for (let row = 0; row < a.bodies; row += 1) {
      // A body that is gone in the second frame stays where it was in the first.
      const other = which === "b" && rows !== null ? rows[row]! : row;
      const frame = which === "b" && other >= 0 ? instant.b : a;
      const from = other >= 0 ? other : row;
      place[4 * row] = frame.positions[3 * from]!;
      place[4 * row + 1] = frame.positions[3 * from + 1]!;
      place[4 * row + 2] = frame.positions[3 * from + 2]!;
      place[4 * row + 3] = colouring.value(frame, from, list, row);
      for (let i = 0; i < 4; i += 1) turns[4 * row + i] = frame.orientations[4 * from + i]!;
    }
    slot.place.needsUpdate = slot.turn.needsUpdate = true;
  }

  #rebuild(trajectory: Trajectory, { a, list }: Instant): void {
    const shapes = trajectory.header!.templates;
    let count = 0;
    for (let row = 0; row < a.bodies; row += 1) count += shapes[list.kinds[2 * row]!]?.spheres.length ?? 0;
    const [body, sphere] = this.#room(count);
    let at = 0;
    for (let row = 0; row < a.bodies; row += 1) {
      const scale = list.scales[row]!;
      for (const part of shapes[list.kinds[2 * row]!]?.spheres ?? []) {
        body[at] = row;
        for (let i = 0; i < 4; i += 1) sphere[4 * at + i] = part[i]! * scale;
        at += 1;
      }
    }
    for (const name of ["body", "sphere"]) this.#geometry.getAttribute(name).needsUpdate = true;
    this.#geometry.instanceCount = count;
    this.#list = a.list;
  }

  #room(count: number): [Float32Array, Float32Array] {
    const known = this.#geometry.getAttribute("body") as three.InstancedBufferAttribute | undefined;
    if (known === undefined || known.count < count) {
      const size = Math.ceil(count * 1.25) + 16;
      // Attributes cannot grow; a geometry that lets go of its buffers can.
      this.#geometry.dispose();
      this.#geometry.setAttribute("body", new three.InstancedBufferAttribute(new Float32Array(size), 1));
      this.#geometry.setAttribute("sphere", new three.InstancedBufferAttribute(new Float32Array(4 * size), 4));
    }
    const array = (name: string) => this.#geometry.getAttribute(name).array as Float32Array;
    return [array("body"), array("sphere")];
  }
}

function placeTexture(height: number): three.DataTexture {
  const data = new Float32Array(4 * WIDTH * height);
  return new three.DataTexture(data, WIDTH, height, three.RGBAFormat, three.FloatType);
}

function turnTexture(height: number): three.DataTexture {
  const data = new Int16Array(4 * WIDTH * height);
  const texture = new three.DataTexture(data, WIDTH, height, three.RGBAIntegerFormat, three.ShortType);
  texture.internalFormat = "RGBA16I";
  return texture;
}

function mapTexture(map: readonly string[], smooth: boolean): three.DataTexture {
  const data = table(map, smooth);
  const texture = new three.DataTexture(data, data.length / 4, 1);
  texture.magFilter = texture.minFilter = smooth ? three.LinearFilter : three.NearestFilter;
  texture.needsUpdate = true;
  return texture;
}

const VERTEX = /* glsl */ `
  ${POSE}
  ${LINEAR}
  ${CUT}
  uniform float uPixel;
  uniform float uPicked;
  uniform sampler2D uMap;
  uniform vec2 uRange;
  uniform bool uLog;
  uniform float uKinds;
  out vec3 vPlace;
  flat out vec3 vCentre;
  flat out vec3 vColour;
  flat out float vRadius;
  flat out float vPicked;

  vec3 colourOf(float value) {
    if (uKinds > 0.0) return linear(texture(uMap, vec2((mod(value, uKinds) + 0.5) / uKinds, 0.5)).rgb);
    float part = uLog
      ? log(max(value / uRange.x, 1.0)) / log(uRange.y / uRange.x)
      : (value - uRange.x) / (uRange.y - uRange.x);
    float at = clamp(part, 0.0, 1.0) * (255.0 / 256.0) + 0.5 / 256.0;
    return linear(texture(uMap, vec2(at, 0.5)).rgb);
  }

  void main() {
    vec4 place = placeOfSphere();
    vec3 centre = (viewMatrix * vec4(place.xyz, 1.0)).xyz;
    float distance2 = dot(centre, centre);
    float radius = sphere.w;
    vCentre = centre;
    vColour = colourOf(place.w);
    vRadius = radius;
    vPicked = uPicked == body ? 1.0 : 0.0;
    // What is cut off as a whole is put out of sight.
    if (keeps(centre) < -radius) {
      gl_Position = vec4(0.0, 0.0, 2.0, 1.0);
      return;
    }
    if (isOrthographic) {
      vPlace = centre + vec3(position.xy * (radius + uPixel), 0.0);
      gl_Position = projectionMatrix * vec4(vPlace, 1.0);
      return;
    }
    float away = sqrt(distance2);
    // The cone of sight that touches the ball, where it crosses the plane of the centre; and a pixel for the edge.
    float size = radius * away / sqrt(max(distance2 - radius * radius, 1e-4 * distance2)) + uPixel * away;
    vec3 ahead = centre / away;
    vec3 right = normalize(cross(ahead, abs(ahead.y) < 0.9 ? vec3(0.0, 1.0, 0.0) : vec3(1.0, 0.0, 0.0)));
    vPlace = centre + (right * position.x + cross(right, ahead) * position.y) * size;
    gl_Position = projectionMatrix * vec4(vPlace, 1.0);
  }
`;

const FRAGMENT = /* glsl */ `
  ${SHADOW}
  ${SHADE}
  ${CUT}
  uniform mat4 projectionMatrix;
  uniform mat4 uToLight;
  uniform float uPixel;
  uniform float uDim;
  uniform vec3 uDimTo;
  uniform float uTexel;
  in vec3 vPlace;
  flat in vec3 vCentre;
  flat in vec3 vColour;
  flat in float vRadius;
  flat in float vPicked;
  layout(location = 0) out highp vec4 outColour;
  #define gl_FragColor outColour

  void main() {
    float radius = vRadius;
    vec3 origin = isOrthographic ? vec3(vPlace.xy, 0.0) : vec3(0.0);
    vec3 ray = isOrthographic ? vec3(0.0, 0.0, -1.0) : normalize(vPlace);
    float along = dot(ray, vCentre - origin);
    vec3 aside = vCentre - origin - along * ray;
    float inside = radius - length(aside);
    float coverage = clamp(inside / (isOrthographic ? uPixel : uPixel * along) + 0.5, 0.0, 1.0);
    if (coverage <= 0.0) discard;
    float depth = sqrt(max(radius * radius - dot(aside, aside), 0.0));
    vec3 hit = origin + ray * (along - depth);
    vec3 normal = normalize(hit - vCentre);
    vec3 colour = vColour;
    bool cut = keeps(hit) < 0.0;
    if (cut) {
      // The ball was met on the side that is cut off; what is seen is its flat face, if the ray comes that far.
      float at = -keeps(origin) / dot(uCut.xyz, ray);
      if (dot(uCut.xyz, ray) <= 0.0 || at > along + depth) discard;
      hit = origin + ray * at;
      normal = -uCut.xyz;
    }
    vec4 clip = projectionMatrix * vec4(hit, 1.0);
    gl_FragDepth = 0.5 + 0.5 * clip.z / clip.w;

    vec3 shifted = hit + normal * (3.0 * uTexel);
    vec3 place = (uToLight * vec4(shifted, 1.0)).xyz;
    // What faces away from the light needs no look at its shadow. A cut is lit evenly: it is no surface of the scene.
    float key = cut ? 0.6 : dot(normal, uKey) > 0.0 ? lightAt(place, uShadowSoftness) : 0.0;
    float open = cut ? 1.0 : mix(0.62, 1.0, lightAt(place, uShadowSoftness * 9.0));
    vec3 light = shaded(colour, normal, -ray, key, open);
    light = mix(light, uDimTo, uDim * (1.0 - vPicked));
    float rim = 1.0 - max(dot(normal, -ray), 0.0);
    light = mix(light, vec3(1.0, 0.93, 0.8), vPicked * (0.12 + 0.88 * smoothstep(0.45, 0.95, rim)));
    outColour = vec4(light, coverage);
    #include <colorspace_fragment>
  }
`;

/** A ball throws the shadow of a disc through its centre, which is cheaper to draw: nothing changes its depth. */
const CAST_VERTEX = /* glsl */ `
  ${POSE}
  uniform vec4 uCutInLab;
  out vec2 vCorner;

  void main() {
    vec3 place = placeOfSphere().xyz;
    vec3 centre = (viewMatrix * vec4(place, 1.0)).xyz;
    // What is cut off throws no shadow.
    vCorner = dot(uCutInLab.xyz, place) + uCutInLab.w < 0.0 ? vec2(2.0) : position.xy;
    gl_Position = projectionMatrix * vec4(centre + vec3(position.xy * sphere.w, 0.0), 1.0);
  }
`;

const CAST_FRAGMENT = /* glsl */ `
  in vec2 vCorner;
  layout(location = 0) out highp vec4 outColour;

  void main() {
    if (dot(vCorner, vCorner) > 1.0) discard;
    outColour = vec4(1.0);
  }
`;
