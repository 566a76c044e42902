// A plane of coarse-grained fields: coloured, with an edge, and seen through bodies, which would hide what is inside them.
//
// Values belong to the centres of cells; between these it is interpolated, over the cells that are not empty.

import * as three from "three";
import { table } from "../colour";
import type { ShownField } from "../fields";
import { type Look, linear } from "./look";

export class FieldPlane {
  readonly group = new three.Group();
  readonly #uniforms = {
    uValues: { value: null as three.DataTexture | null },
    uSize: { value: new three.Vector2(1, 1) },
    uRange: { value: new three.Vector2(0, 1) },
    uMap: { value: null as three.DataTexture | null },
    uOpacity: { value: 0.9 },
  };
  readonly #edge = new three.LineBasicMaterial({ transparent: true, depthTest: false });
  readonly #maps = new Map<readonly string[], three.DataTexture>();
  readonly #plane: three.Mesh<three.BufferGeometry, three.ShaderMaterial>;
  readonly #outline: three.LineLoop;
  #shown: ShownField["slice"] | null = null;

  constructor() {
    const geometry = new three.BufferGeometry();
    // Corners as parts of both sides; where they are is in the matrix.
    geometry.setAttribute("position", new three.BufferAttribute(new Float32Array([0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0]), 3));
    geometry.setIndex([0, 1, 2, 0, 2, 3]);
    const material = new three.ShaderMaterial({
      glslVersion: three.GLSL3,
      uniforms: this.#uniforms,
      vertexShader: VERTEX,
      fragmentShader: FRAGMENT,
      transparent: true,
      depthTest: false,
      depthWrite: false,
      side: three.DoubleSide,
    });
    this.#plane = new three.Mesh(geometry, material);
    const edge = new three.BufferGeometry();
    edge.setAttribute("position", geometry.getAttribute("position"));
    this.#outline = new three.LineLoop(edge, this.#edge);
    // After bodies and walls, before the lines of contact forces.
    for (const part of [this.#plane, this.#outline]) {
      part.frustumCulled = false;
      part.renderOrder = 1.5;
      part.matrixAutoUpdate = false;
    }
    this.group.add(this.#plane, this.#outline);
    this.group.visible = false;
  }

  dress(look: Look): void {
    this.#edge.color.setRGB(...linear(look.edge));
    this.#edge.opacity = look.edgeOpacity;
  }

  /** Null hides it. */
  show(field: ShownField | null, opacity: number): void {
    this.group.visible = field !== null;
    if (field === null) return;
    const { slice, range, map } = field;
    this.#uniforms.uOpacity.value = opacity;
    this.#uniforms.uRange.value.set(range.low, range.high);
    this.#uniforms.uMap.value = this.#mapOf(map);
    if (slice.values !== this.#shown?.values) this.#fill(slice);
    this.#shown = slice;
    const { corner, across, up } = slice;
    const vectors = [across, up, [0, 0, 0]].map((side) => new three.Vector3(...(side as [number, number, number])));
    const matrix = new three.Matrix4().makeBasis(vectors[0]!, vectors[1]!, vectors[2]!).setPosition(...corner);
    for (const part of [this.#plane, this.#outline]) {
      part.matrix.copy(matrix);
      part.matrixWorldNeedsUpdate = true;
    }
  }

  #fill({ width, height, values }: ShownField["slice"]): void {
    const data = new Float32Array(2 * values.length);
    values.forEach((value, cell) => {
      // Which are there: what is not a number is not the same on all graphics cards.
      const there = Number.isFinite(value);
      data[2 * cell] = there ? value : 0;
      data[2 * cell + 1] = there ? 1 : 0;
    });
    this.#uniforms.uValues.value?.dispose();
    const texture = new three.DataTexture(data, width, height, three.RGFormat, three.FloatType);
    texture.needsUpdate = true;
    this.#uniforms.uValues.value = texture;
    this.#uniforms.uSize.value.set(width, height);
  }

  #mapOf(map: readonly string[]): three.DataTexture {
    let texture = this.#maps.get(map);
    if (texture === undefined) {
      texture = new three.DataTexture(table(map, true), 256, 1);
      texture.magFilter = texture.minFilter = three.LinearFilter;
      texture.needsUpdate = true;
      this.#maps.set(map, texture);
    }
    return texture;
  }
}

const VERTEX = /* glsl */ `
  out vec2 vPlace;

  void main() {
    vPlace = position.xy;
    gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0);
  }
`;

const FRAGMENT = /* glsl */ `
  uniform highp sampler2D uValues;
  uniform sampler2D uMap;
  uniform vec2 uSize;
  uniform vec2 uRange;
  uniform float uOpacity;
  in highp vec2 vPlace;
  layout(location = 0) out highp vec4 outColour;

  vec2 cell(ivec2 at) {
    return texelFetch(uValues, clamp(at, ivec2(0), ivec2(uSize) - 1), 0).rg;
  }

  void main() {
    // An empty cell is empty to its edges.
    if (cell(ivec2(floor(vPlace * uSize))).g < 0.5) discard;
    vec2 place = vPlace * uSize - 0.5;
    ivec2 corner = ivec2(floor(place));
    vec2 part = place - floor(place);
    vec2 sum = vec2(0.0);
    for (int i = 0; i < 4; i++) {
      ivec2 off = ivec2(i & 1, i >> 1);
      vec2 found = cell(corner + off);
      vec2 weights = mix(1.0 - part, part, vec2(off));
      sum += vec2(found.r * found.g, found.g) * weights.x * weights.y;
    }
    float at = clamp((sum.r / sum.g - uRange.x) / (uRange.y - uRange.x), 0.0, 1.0);
    // As it is in the bar: not lit, and not linear.
    outColour = vec4(texture(uMap, vec2(at * (255.0 / 256.0) + 0.5 / 256.0, 0.5)).rgb, uOpacity);
  }
`;
