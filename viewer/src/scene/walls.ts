// Walls as tinted glass with edges. What is between the viewer and the bodies is nearly clear; what is behind them
// shows more, and shadows fall on it.

import * as three from "three";
import { parseColour } from "../colour";
import type { Wall } from "../data/format";
import { slerp, type Instant, type Quaternion } from "../interpolation";
import { type Look, linear } from "./look";
import { SHADOW } from "./shade";

/** Faces that meet at less than this angle belong to something round, and have no edge between them, degrees. */
const ROUND = 24;

export class Walls {
  readonly group = new three.Group();
  /** Around all of them; empty without walls. */
  readonly bounds = new three.Box3();
  readonly #moving: { holder: three.Group; pivot: three.Vector3 }[] = [];
  readonly #glass: three.ShaderMaterial;
  readonly #edges = new three.LineBasicMaterial({ transparent: true, depthWrite: false });
  readonly #ribs = new three.LineBasicMaterial({ transparent: true, depthWrite: false });

  constructor(walls: Wall[], light: Record<string, three.IUniform>) {
    this.#glass = new three.ShaderMaterial({
      glslVersion: three.GLSL3,
      uniforms: {
        ...light,
        uTint: { value: new three.Color() },
        uShade: { value: new three.Color() },
        uOpacity: { value: 0.1 },
        uDepth: { value: 0.3 },
      },
      vertexShader: VERTEX,
      fragmentShader: FRAGMENT,
      transparent: true,
      depthWrite: false,
      side: three.DoubleSide,
    });
    for (const wall of walls) this.#add(wall);
  }

  dress(look: Look): void {
    const { uTint, uShade, uOpacity, uDepth } = this.#glass.uniforms;
    uTint!.value.fromArray(parseColour(look.wall).map((part) => part / 255));
    uShade!.value.fromArray(parseColour(look.shadow).map((part) => part / 255));
    uOpacity!.value = look.wallOpacity;
    uDepth!.value = look.shadowDepth;
    for (const [lines, opacity] of [[this.#edges, look.edgeOpacity], [this.#ribs, look.edgeOpacity * 0.3]] as const) {
      lines.color.setRGB(...linear(look.edge));
      lines.opacity = opacity;
    }
  }

  /** Puts the moving ones where they are at an instant. */
  show({ a, b, moment }: Instant): void {
    this.#moving.forEach(({ holder, pivot }, number) => {
      const [from, to] = [a.wallPlaces, b.wallPlaces].map((places) => places.subarray(7 * number, 7 * number + 7));
      if (from === undefined || to === undefined || from.length < 7 || to.length < 7) return;
      const turnOf = (place: Float32Array) => [...place.subarray(3)] as Quaternion;
      const [w, x, y, z] = slerp(turnOf(from), turnOf(to), moment.mix);
      holder.quaternion.set(x, y, z, w);
      holder.position.copy(pivot).negate().applyQuaternion(holder.quaternion);
      for (const [axis, name] of (["x", "y", "z"] as const).entries()) {
        holder.position[name] += from[axis]! + (to[axis]! - from[axis]!) * moment.mix;
      }
    });
  }

  #add(wall: Wall): void {
    const points = wall.points.map((point) => new three.Vector3(...point));
    const triangles = wall.triangles
      .map((corners) => corners.map((corner) => points[corner]))
      .filter((corners): corners is three.Vector3[] => corners.every((corner) => corner !== undefined));
    const centre = new three.Box3().setFromPoints(points).getCenter(new three.Vector3());
    const geometry = glassGeometry(triangles, centre);
    const holder = new three.Group();
    const glass = new three.Mesh(geometry, this.#glass);
    glass.renderOrder = 1;
    holder.add(glass, new three.LineSegments(new three.EdgesGeometry(geometry, ROUND), this.#edges));
    if (wall.moves) {
      // The seams of something round show that it turns.
      holder.add(new three.LineSegments(new three.EdgesGeometry(geometry, 1), this.#ribs));
      this.#moving.push({ holder, pivot: new three.Vector3(...wall.pivot) });
    }
    for (const part of holder.children) part.frustumCulled = false;
    this.group.add(holder);
    for (const point of points) this.bounds.expandByPoint(point);
  }
}

/** Triangles with normals that point away from the middle of the wall; a flat wall has none. */
function glassGeometry(triangles: three.Vector3[][], centre: three.Vector3): three.BufferGeometry {
  const places = new Float32Array(9 * triangles.length);
  const outward = new Float32Array(9 * triangles.length);
  const [u, v, normal] = [new three.Vector3(), new three.Vector3(), new three.Vector3()];
  triangles.forEach((corners, number) => {
    const [a, b, c] = corners as [three.Vector3, three.Vector3, three.Vector3];
    normal.crossVectors(u.subVectors(b, a), v.subVectors(c, a)).normalize();
    const out = u.subVectors(a, centre);
    const away = normal.dot(out);
    normal.multiplyScalar(Math.abs(away) < 1e-4 * out.length() ? 0 : Math.sign(away));
    corners.forEach((corner, i) => {
      corner.toArray(places, 9 * number + 3 * i);
      normal.toArray(outward, 9 * number + 3 * i);
    });
  });
  const geometry = new three.BufferGeometry();
  geometry.setAttribute("position", new three.BufferAttribute(places, 3));
  geometry.setAttribute("outward", new three.BufferAttribute(outward, 3));
  return geometry;
}

const VERTEX = /* glsl */ `
  in vec3 outward;
  out vec3 vPlace;
  out vec3 vOutward;

  void main() {
    vec4 place = modelViewMatrix * vec4(position, 1.0);
    vPlace = place.xyz;
    vOutward = mat3(modelViewMatrix) * outward;
    gl_Position = projectionMatrix * place;
  }
`;

const FRAGMENT = /* glsl */ `
  ${SHADOW}
  uniform mat4 uToLight;
  uniform vec3 uTint;
  uniform vec3 uShade;
  uniform float uOpacity;
  uniform float uDepth;
  in vec3 vPlace;
  in vec3 vOutward;
  layout(location = 0) out highp vec4 outColour;

  void main() {
    vec3 toEye = normalize(-vPlace);
    float facing = dot(vOutward, toEye);
    bool near = facing > 0.0;
    float dark = near ? 0.0 : 1.0 - lightAt((uToLight * vec4(vPlace, 1.0)).xyz, uShadowSoftness * 3.0);
    // Glass seen at a slant reflects more; a flat wall has no outward side and is seen alike from both.
    float slant = dot(vOutward, vOutward) > 0.0 ? pow(1.0 - abs(facing), 3.0) : 0.0;
    float glass = uOpacity * ((near ? 0.22 : 1.0) + 0.3 * slant);
    float shade = uDepth * dark;
    // Shade over glass over what is behind, blended by the graphics card as the colours are: not linear.
    float opacity = 1.0 - (1.0 - glass) * (1.0 - shade);
    outColour = vec4((uTint * glass * (1.0 - shade) + uShade * shade) / max(opacity, 1e-4), opacity);
  }
`;
