// Rounded polyhedra: one draw call for all of the same shape, whose surface is triangles with the normals of the smooth one.
//
// Where a plane cuts, what is seen of the far side stands for the flat face that the cut leaves: that is where the line of sight meets the plane, if it is
// in the solid there, which is told by the planes that touch it.

import * as three from "three";
import type { Polyhedron } from "../data/format";
import { Instances, type Shaders } from "./instances";
import { COLOUR, PAINT } from "./paint";
import { POSE } from "./pose";
import { roundedSurface, supports } from "./rounded";

/** More bodies of a shape than this are small enough for coarse edges. */
const MANY = 3000;
const COARSE = Math.PI / 2;

/** The pieces of one shape: of what spheres have the radius is the scale of the body, and the centre is nothing. */
export function polyhedronInstances(uniforms: Record<string, three.IUniform>, shape: Polyhedron, bodies: number): Instances {
  const surface = roundedSurface(shape, bodies > MANY ? COARSE : undefined);
  const touching = supports(surface);
  const data = new Float32Array(touching.flatMap(({ normal, height }) => [...normal, height]));
  const planes = new three.DataTexture(data, touching.length, 1, three.RGBAFormat, three.FloatType);
  planes.needsUpdate = true;
  return new Instances(
    { ...uniforms, uPlanes: { value: planes } },
    SHADERS,
    {
      corners: surface.points.flat(),
      normals: surface.normals.flat(),
      triangles: surface.triangles.flat(),
      side: three.DoubleSide,
      // What the light sees lies in the shade of what it does not see: so no surface shades itself.
      castSide: three.BackSide,
    },
  );
}

const VERTEX = /* glsl */ `
  ${POSE}
  ${COLOUR}
  /** The normal in the frame of the body; an attribute of this name is in no shader of three.js. */
  in vec3 outward;
  out vec3 vPlace;
  out vec3 vNormal;
  flat out vec3 vCentre;
  flat out mat3 vTurn;
  flat out float vScale;
  flat out vec3 vColour;
  flat out float vPicked;

  void main() {
    Pose pose = poseOfBody();
    mat3 view = mat3(viewMatrix);
    vCentre = (viewMatrix * vec4(pose.place, 1.0)).xyz;
    vTurn = view * mat3(
      turned(pose.turn, vec3(1.0, 0.0, 0.0)), turned(pose.turn, vec3(0.0, 1.0, 0.0)), turned(pose.turn, vec3(0.0, 0.0, 1.0)));
    vScale = sphere.w;
    vColour = colourOf(pose.value);
    vPicked = uPicked == body ? 1.0 : 0.0;
    vPlace = vCentre + vTurn * (position * vScale);
    vNormal = vTurn * outward;
    gl_Position = projectionMatrix * vec4(vPlace, 1.0);
  }
`;

const FRAGMENT = /* glsl */ `
  ${PAINT}
  uniform sampler2D uPlanes;
  in vec3 vPlace;
  in vec3 vNormal;
  flat in vec3 vCentre;
  flat in mat3 vTurn;
  flat in float vScale;

  bool isInside(vec3 place) {
    vec3 seen = (place - vCentre) * vTurn / vScale;
    int count = textureSize(uPlanes, 0).x;
    for (int i = 0; i < count; i++) {
      vec4 plane = texelFetch(uPlanes, ivec2(i, 0), 0);
      if (dot(plane.xyz, seen) > plane.w) return false;
    }
    return true;
  }

  void main() {
    vec3 eye = isOrthographic ? vec3(vPlace.xy, 0.0) : vec3(0.0);
    vec3 ray = isOrthographic ? vec3(0.0, 0.0, -1.0) : normalize(vPlace);
    if (keeps(vPlace) < 0.0) discard;
    if (gl_FrontFacing) {
      paint(vPlace, normalize(vNormal), ray, 1.0, false);
      return;
    }
    float plane = planeAlong(eye, ray);
    vec3 hit = eye + ray * plane;
    if (plane < 0.0 || plane > dot(vPlace - eye, ray) || !isInside(hit)) discard;
    paint(hit, -uCut.xyz, ray, 1.0, true);
  }
`;

const CAST_VERTEX = /* glsl */ `
  ${POSE}
  uniform vec4 uCutInLab;

  void main() {
    Pose pose = poseOfBody();
    vec3 place = placeIn(pose, position * sphere.w);
    // What is cut off throws no shadow.
    bool kept = dot(uCutInLab.xyz, pose.place) + uCutInLab.w >= 0.0;
    gl_Position = kept ? projectionMatrix * viewMatrix * vec4(place, 1.0) : vec4(0.0, 0.0, 2.0, 1.0);
  }
`;

const CAST_FRAGMENT = /* glsl */ `
  layout(location = 0) out highp vec4 outColour;

  void main() {
    outColour = vec4(1.0);
  }
`;

const SHADERS: Shaders = {
  vertex: VERTEX,
  fragment: FRAGMENT,
  castVertex: CAST_VERTEX,
  castFragment: CAST_FRAGMENT,
};
