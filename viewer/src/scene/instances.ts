// Many pieces of one kind in one draw call: the same few triangles for each, and numbers that tell them apart.

import * as three from "three";

/** The shaders of a kind of piece: as it is seen, and as the light sees it. */
export interface Shaders {
  vertex: string;
  fragment: string;
  castVertex: string;
  castFragment: string;
}

/** What every piece has: the row of its body, its centre in the frame of that and its radius. */
const COMMON: [string, number][] = [
  ["body", 1],
  ["sphere", 4],
];

/** What all pieces of a kind have: triangles, and which sides of them are seen by the viewer and by the light. */
export interface Mould {
  corners: number[];
  normals?: number[];
  triangles: number[];
  side: three.Side;
  castSide?: three.Side;
}

export class Instances {
  readonly mesh: three.Mesh;
  /** The same pieces for the pass that finds shadows. */
  readonly caster: three.Mesh;
  readonly #geometry = new three.InstancedBufferGeometry();
  readonly #attributes: [string, number][];

  /** Corners of the triangles, perhaps with normals, and numbers that a piece has beside those that all have: names and how many. */
  constructor(
    uniforms: Record<string, three.IUniform>,
    shaders: Shaders,
    { corners, normals, triangles, side, castSide = three.DoubleSide }: Mould,
    attributes: [string, number][] = [],
  ) {
    this.#attributes = [...COMMON, ...attributes];
    this.#geometry.setAttribute("position", new three.BufferAttribute(new Float32Array(corners), 3));
    if (normals !== undefined) this.#geometry.setAttribute("outward", new three.BufferAttribute(new Float32Array(normals), 3));
    this.#geometry.setIndex(triangles);
    this.#geometry.instanceCount = 0;
    const common = { glslVersion: three.GLSL3, uniforms };
    const { vertex, fragment, castVertex, castFragment } = shaders;
    const drawn = new three.ShaderMaterial({ ...common, vertexShader: vertex, fragmentShader: fragment, side });
    drawn.alphaToCoverage = true;
    const cast = new three.ShaderMaterial({ ...common, vertexShader: castVertex, fragmentShader: castFragment });
    cast.side = castSide;
    this.mesh = new three.Mesh(this.#geometry, drawn);
    this.caster = new three.Mesh(this.#geometry, cast);
    this.mesh.frustumCulled = this.caster.frustumCulled = false;
    this.mesh.visible = this.caster.visible = false;
  }

  get count(): number {
    return this.#geometry.instanceCount;
  }

  /** So many pieces from now on; what is told of each is written into the arrays, which are in the order of the attributes. */
  refill(count: number): Float32Array[] {
    const known = this.#geometry.getAttribute("body") as three.InstancedBufferAttribute | undefined;
    if (known === undefined || known.count < count) {
      const size = Math.ceil(count * 1.25) + 16;
      // Attributes cannot grow; a geometry that lets go of its buffers can.
      this.#geometry.dispose();
      for (const [name, parts] of this.#attributes) {
        this.#geometry.setAttribute(name, new three.InstancedBufferAttribute(new Float32Array(parts * size), parts));
      }
    }
    this.#geometry.instanceCount = count;
    this.mesh.visible = this.caster.visible = count > 0;
    return this.#attributes.map(([name]) => {
      const attribute = this.#geometry.getAttribute(name);
      attribute.needsUpdate = true;
      return attribute.array as Float32Array;
    });
  }
}
