// Walls as tinted glass with edges. What is between the viewer and the bodies is nearly clear; what is behind them
// shows more, and shadows fall on it. Each can be hidden, or made as opaque as one likes.

import * as three from "three";
import { parseColour } from "../colour";
import type { Wall } from "../data/format";
import { slerp, type Instant, type Quaternion } from "../interpolation";
import { stretched } from "./endless";
import { glass, type Glass } from "./glass";
import { type Look, linear } from "./look";

/** Faces that meet at less than this angle belong to something round, and have no edge between them, degrees. */
const ROUND = 24;
/** Glass that is more opaque than this hides what is behind it, other glass too. */
const SOLID = 0.95;

/** One wall in the scene. */
export class WallView {
  readonly wall: Wall;
  readonly holder = new three.Group();
  readonly #glass: three.Mesh<three.BufferGeometry, Glass>;
  readonly #edges: three.LineSegments;
  /** The seams of something round show that it turns. */
  readonly #ribs: three.LineSegments;
  readonly #lines: Lines;
  /** Middle of what is drawn of an endless wall, in its own frame and where it is needed; null for all others. */
  #middle: { drawn: three.Vector3; needed: three.Vector3 } | null = null;
  /** Whether someone wants to see it, and whether it is there: walls may come and go. */
  #wanted = true;
  #there = true;
  /** As the look has it, until someone chooses. */
  #chosen: number | null = null;
  #usual = 0.1;

  constructor(wall: Wall, material: Glass, lines: Lines) {
    this.wall = wall;
    this.#lines = lines;
    this.#glass = new three.Mesh(new three.BufferGeometry(), material);
    this.#glass.renderOrder = 1;
    this.#edges = new three.LineSegments(new three.BufferGeometry(), lines.edges);
    this.#ribs = new three.LineSegments(new three.BufferGeometry(), lines.ribs);
    this.#ribs.visible = false;
    this.holder.add(this.#glass, this.#edges, this.#ribs);
    for (const part of this.holder.children) part.frustumCulled = false;
    this.build(new three.Box3());
  }

  get shown(): boolean {
    return this.#wanted;
  }

  set shown(shown: boolean) {
    this.#wanted = shown;
    this.holder.visible = this.#wanted && this.#there;
  }

  /** From 0, clear, to 1. */
  get opacity(): number {
    return this.#chosen ?? this.#usual;
  }

  set opacity(opacity: number) {
    this.#chosen = opacity;
    this.#apply();
  }

  dress(look: Look): void {
    this.#usual = look.wallOpacity;
    this.#apply();
  }

  /** Makes its triangles; of an endless wall as many as a box needs. */
  build(needed: three.Box3): void {
    const points = stretched(this.wall, needed);
    const triangles = this.wall.triangles
      .map((corners) => corners.map((corner) => points[corner]))
      .filter((corners): corners is three.Vector3[] => corners.every((corner) => corner !== undefined));
    const centre = new three.Box3().setFromPoints(points).getCenter(new three.Vector3());
    const endless = (this.wall.endless ?? []).length > 0 && !needed.isEmpty();
    this.#middle = endless ? { drawn: centre, needed: needed.getCenter(new three.Vector3()) } : null;
    const surface = outwardGeometry(triangles, centre);
    const geometries = [surface, new three.EdgesGeometry(surface, ROUND), new three.EdgesGeometry(surface, 1)];
    [this.#glass, this.#edges, this.#ribs].forEach((part, i) => {
      part.geometry.dispose();
      part.geometry = geometries[i]!;
    });
  }

  /** Puts it where it is: place and rotation (w, x, y, z) in two frames, and how far it is from one to the other. */
  place(from: Float32Array, to: Float32Array, mix: number): void {
    const turnOf = (place: Float32Array) => [...place.subarray(3)] as Quaternion;
    // A wall that is not there has no rotation at all.
    const isThere = (place: Float32Array) => turnOf(place).some((part) => part !== 0);
    this.#there = isThere(from);
    this.shown = this.#wanted;
    if (!this.#there) return;
    if (!isThere(to)) to = from;
    const [w, x, y, z] = slerp(turnOf(from), turnOf(to), mix);
    const { holder } = this;
    holder.quaternion.set(x, y, z, w);
    holder.position.set(...this.wall.pivot).negate().applyQuaternion(holder.quaternion);
    for (const [axis, name] of (["x", "y", "z"] as const).entries()) {
      holder.position[name] += from[axis]! + (to[axis]! - from[axis]!) * mix;
    }
    this.#recentre();
    // Once it has turned, it is something that turns.
    this.#ribs.visible ||= Math.hypot(x, y, z) > 1e-6;
  }

  /** An endless wall that slides along itself, as a belt does, is where it was: what is drawn stays with the bodies. */
  #recentre(): void {
    if (this.#middle === null) return;
    const { quaternion, position } = this.holder;
    const off = this.#middle.drawn.clone().applyQuaternion(quaternion).add(position).sub(this.#middle.needed);
    for (const direction of this.wall.endless ?? []) {
      const along = new three.Vector3(...direction).applyQuaternion(quaternion);
      position.addScaledVector(along, -off.dot(along));
    }
  }

  #apply(): void {
    const { opacity } = this;
    const material = this.#glass.material;
    material.uniforms["uOpacity"]!.value = opacity;
    material.depthWrite = opacity > SOLID;
    this.#edges.visible = opacity > 0;
    this.#edges.material = opacity > 0.5 ? this.#lines.strong : this.#lines.edges;
  }
}

/** What edges are drawn with: usual ones, faint ones, and those of opaque walls. */
interface Lines {
  edges: three.LineBasicMaterial;
  ribs: three.LineBasicMaterial;
  strong: three.LineBasicMaterial;
}

export class Walls {
  readonly group = new three.Group();
  readonly views: WallView[];
  readonly #look = {
    uTint: { value: new three.Color() },
    uShade: { value: new three.Color() },
    uDepth: { value: 0.3 },
  };
  readonly #lines: Lines;

  /** Light, shadow and the plane that cuts are shared with everything. */
  constructor(walls: Wall[], shared: Record<string, three.IUniform>, planes: three.Plane[]) {
    const line = () => new three.LineBasicMaterial({ transparent: true, depthWrite: false, clippingPlanes: planes });
    this.#lines = { edges: line(), ribs: line(), strong: line() };
    this.views = walls.map((wall) => new WallView(wall, glass({ ...shared, ...this.#look }), this.#lines));
    for (const { holder } of this.views) this.group.add(holder);
  }

  dress(look: Look): void {
    const { uTint, uShade, uDepth } = this.#look;
    uTint.value.fromArray(parseColour(look.wall).map((part) => part / 255));
    uShade.value.fromArray(parseColour(look.shadow).map((part) => part / 255));
    uDepth.value = look.shadowDepth;
    const { edges, ribs, strong } = this.#lines;
    const parts = [[edges, 1], [ribs, 0.3], [strong, 0.6]] as const;
    for (const [lines, part] of parts) {
      lines.color.setRGB(...linear(look.edge));
      lines.opacity = look.edgeOpacity * part;
    }
    for (const view of this.views) view.dress(look);
  }

  /** Makes endless walls as large as a box needs. */
  stretch(needed: three.Box3): void {
    for (const view of this.views) if ((view.wall.endless ?? []).length > 0) view.build(needed);
  }

  /** Puts those that move where they are at an instant. */
  show({ a, b, moment }: Instant): void {
    const moving = this.views.filter(({ wall }) => wall.moves);
    moving.forEach((view, number) => {
      const [from, to] = [a.wallPlaces, b.wallPlaces].map((places) => places.subarray(7 * number, 7 * number + 7));
      if (from?.length === 7 && to?.length === 7) view.place(from, to, moment.mix);
    });
  }
}

/** Triangles with normals that point away from the middle of the wall; a flat wall has none. */
function outwardGeometry(triangles: three.Vector3[][], centre: three.Vector3): three.BufferGeometry {
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
