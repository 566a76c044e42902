// What the key light sees: the depth of the nearest body, found again whenever bodies have moved.

import * as three from "three";
import type { Look } from "./look";

/** From where the light comes: so much to the right of the first view, towards it, and up. */
const KEY = { right: -0.55, towards: 0.5, up: 1 };

export class Shadow {
  /** Shared by everything that is lit. */
  readonly uniforms = {
    uShadow: { value: null as three.DepthTexture | null },
    uShadows: { value: 0.92 },
    uShadowSoftness: { value: 0.001 },
    /** Looks at the shadow for each point: many make it smooth, which is not seen on small spheres. */
    uTaps: { value: 8 },
    /** From view space to the light's view, 0 to 1. */
    uToLight: { value: new three.Matrix4() },
    /** Size of a texel in the scene, m. */
    uTexel: { value: 0 },
    uKey: { value: new three.Vector3() },
    uUp: { value: new three.Vector3() },
    uSky: { value: new three.Color() },
    uGround: { value: new three.Color() },
  };
  readonly #camera = new three.OrthographicCamera();
  readonly #target: three.WebGLRenderTarget;
  /** Of the ball that it shines on, m. */
  #radius = 1;
  readonly #scene = new three.Scene();
  readonly #key = new three.Vector3(0, 0, 1);
  readonly #up = new three.Vector3(0, 0, 1);
  readonly #toLight = new three.Matrix4();

  constructor(size: number) {
    const depth = new three.DepthTexture(size, size, three.FloatType);
    depth.compareFunction = three.LessEqualCompare;
    depth.magFilter = depth.minFilter = three.LinearFilter;
    this.#target = new three.WebGLRenderTarget(size, size, { depthTexture: depth });
    this.uniforms.uShadow.value = depth;
  }

  /** Texels along an edge of what the light sees. */
  get size(): number {
    return this.#target.width;
  }

  set size(size: number) {
    this.#target.setSize(size, size);
    this.#measure();
  }

  add(...casters: three.Object3D[]): void {
    this.#scene.add(...casters);
  }

  /** Shines on a ball around the scene. */
  aim(centre: three.Vector3, radius: number, right: three.Vector3, towards: three.Vector3, up: three.Vector3): void {
    this.#up.copy(up);
    this.#key
      .copy(right)
      .multiplyScalar(KEY.right)
      .addScaledVector(towards, KEY.towards)
      .addScaledVector(up, KEY.up)
      .normalize();
    const camera = this.#camera;
    camera.left = camera.bottom = -radius;
    camera.right = camera.top = radius;
    camera.near = 0;
    camera.far = 2 * radius;
    camera.position.copy(centre).addScaledVector(this.#key, radius);
    camera.up.copy(up);
    camera.lookAt(centre);
    camera.updateMatrixWorld();
    camera.updateProjectionMatrix();
    const half = new three.Matrix4().makeScale(0.5, 0.5, 0.5).setPosition(0.5, 0.5, 0.5);
    this.#toLight.multiplyMatrices(half, camera.projectionMatrix).multiply(camera.matrixWorldInverse);
    this.#radius = radius;
    this.#measure();
  }

  dress(look: Look): void {
    this.uniforms.uSky.value.setRGB(...look.sky);
    this.uniforms.uGround.value.setRGB(...look.ground);
  }

  /** Draws what the light sees. */
  update(renderer: three.WebGLRenderer): void {
    if (this.uniforms.uShadows.value === 0) return;
    renderer.setRenderTarget(this.#target);
    renderer.clear();
    renderer.render(this.#scene, this.#camera);
    renderer.setRenderTarget(null);
  }

  /** Light in the view of a camera. */
  view(camera: three.Camera): void {
    this.uniforms.uToLight.value.multiplyMatrices(this.#toLight, camera.matrixWorld);
    this.uniforms.uKey.value.copy(this.#key).transformDirection(camera.matrixWorldInverse);
    this.uniforms.uUp.value.copy(this.#up).transformDirection(camera.matrixWorldInverse);
  }

  #measure(): void {
    this.uniforms.uTexel.value = (2 * this.#radius) / this.size;
    this.uniforms.uShadowSoftness.value = 2.2 / this.size;
  }
}
