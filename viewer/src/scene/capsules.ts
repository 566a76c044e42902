// All capsules in one draw call: boxes around them, in which a shader finds the surface and its true depth.
//
// The nearest points of a line of sight and of the core give the edge; the surface is that of a cylinder about the core,
// and where that is met beyond an end, of the sphere there. Everything is reckoned from the middle of the capsule, so that thin
// ones are smooth from afar.

import * as three from "three";
import { Instances, type Shaders } from "./instances";
import { COLOUR, PAINT } from "./paint";
import { POSE } from "./pose";

/** Capsules have half of their core beside what spheres have. */
export function capsuleInstances(uniforms: Record<string, three.IUniform>): Instances {
  const corners = [0, 1, 2, 3, 4, 5, 6, 7].flatMap((corner) => [1, 2, 4].map((bit) => (corner & bit ? 1 : -1)));
  // prettier-ignore
  const triangles = [
    0, 2, 1, 1, 2, 3, 4, 5, 6, 5, 7, 6, 0, 1, 4, 1, 5, 4,
    2, 6, 3, 3, 6, 7, 0, 4, 2, 2, 4, 6, 1, 3, 5, 3, 7, 5,
  ];
  // Of the faces those that face away: they are there even if the eye is in the box.
  return new Instances(uniforms, SHADERS, { corners, triangles, side: three.BackSide }, [["half_core", 3]]);
}

const VERTEX = /* glsl */ `
  ${POSE}
  ${COLOUR}
  in vec3 half_core;
  out vec3 vPlace;
  flat out vec3 vCentre;
  /** Along the core, of length one, and half of its length. */
  flat out vec4 vCore;
  flat out vec3 vColour;
  flat out float vRadius;
  flat out float vPicked;

  void main() {
    Pose pose = poseOfBody();
    vec3 centre = (viewMatrix * vec4(placeIn(pose, sphere.xyz), 1.0)).xyz;
    vec3 core = mat3(viewMatrix) * turned(pose.turn, half_core);
    float size = length(core);
    vec3 along = core / size;
    float radius = sphere.w;
    vCentre = centre;
    vCore = vec4(along, size);
    vColour = colourOf(pose.value);
    vRadius = radius;
    vPicked = uPicked == body ? 1.0 : 0.0;
    // What is cut off as a whole is put out of sight.
    if (keeps(centre) < -(radius + size)) {
      gl_Position = vec4(0.0, 0.0, 2.0, 1.0);
      return;
    }
    // And a pixel for the edge.
    float wide = radius + uPixel * (isOrthographic ? 1.0 : length(centre) + size + radius);
    vec3 across = normalize(cross(along, abs(along.y) < 0.9 ? vec3(0.0, 1.0, 0.0) : vec3(1.0, 0.0, 0.0)));
    vec3 corner = along * (size + wide) * position.x + across * wide * position.y + cross(along, across) * wide * position.z;
    vPlace = centre + corner;
    gl_Position = projectionMatrix * vec4(vPlace, 1.0);
  }
`;

const FRAGMENT = /* glsl */ `
  ${PAINT}
  in vec3 vPlace;
  flat in vec3 vCentre;
  flat in vec4 vCore;
  flat in float vRadius;

  void main() {
    float radius = vRadius;
    float size = vCore.w;
    vec3 axis = vCore.xyz;
    vec3 eye = isOrthographic ? vec3(vPlace.xy, 0.0) : vec3(0.0);
    vec3 ray = isOrthographic ? vec3(0.0, 0.0, -1.0) : normalize(vPlace);
    // From here on seen from the middle of the capsule, and along the ray from the point next to it.
    float away = dot(ray, vCentre - eye);
    vec3 origin = eye + ray * away - vCentre;
    float at = dot(origin, axis);
    float along = dot(ray, axis);
    vec3 beside = origin - axis * at;
    vec3 sideways = ray - axis * along;
    float square = max(dot(sideways, sideways), 1e-9);
    float nearest = -dot(beside, sideways) / square;

    vec3 end = axis * clamp(at + nearest * along, -size, size);
    float near = dot(end - origin, ray);
    vec3 aside = origin + ray * near - end;
    float inside = radius - length(aside);
    float coverage = clamp(inside / (isOrthographic ? uPixel : uPixel * (away + near)) + 0.5, 0.0, 1.0);
    if (coverage <= 0.0) discard;

    float met = near;
    if (inside > 0.0) {
      vec3 least = beside + sideways * nearest;
      met = nearest - sqrt(max(radius * radius - dot(least, least), 0.0) / square);
      float where = at + met * along;
      if (abs(where) > size) {
        vec3 cap = origin - axis * (where < 0.0 ? -size : size);
        float middle = -dot(cap, ray);
        vec3 over = cap + ray * middle;
        met = middle - sqrt(max(radius * radius - dot(over, over), 0.0));
      }
    }
    vec3 hit = origin + ray * met;
    vec3 normal = normalize(hit - axis * clamp(dot(hit, axis), -size, size));
    hit += vCentre;
    bool cut = keeps(hit) < 0.0;
    if (cut) {
      // It was met on the side that is cut off; what is seen is its flat face, if the ray meets that within it.
      float plane = planeAlong(eye, ray);
      hit = eye + ray * plane;
      vec3 from = hit - vCentre;
      if (plane < 0.0 || length(from - axis * clamp(dot(from, axis), -size, size)) > radius) discard;
      normal = -uCut.xyz;
    }
    paint(hit, normal, ray, coverage, cut);
  }
`;

/** A capsule throws the shadow of a flat strip through its core, the box pressed flat; one that points to the light that of a disc. */
const CAST_VERTEX = /* glsl */ `
  ${POSE}
  uniform vec4 uCutInLab;
  in vec3 half_core;
  /** On the strip, in radii, and half the length of the core. */
  out vec2 vCorner;
  flat out float vHalf;

  void main() {
    Pose pose = poseOfBody();
    vec3 place = placeIn(pose, sphere.xyz);
    vec3 centre = (viewMatrix * vec4(place, 1.0)).xyz;
    vec3 core = mat3(viewMatrix) * turned(pose.turn, half_core);
    float radius = sphere.w;
    float size = length(core.xy);
    vec2 along = size > 0.0 ? core.xy / size : vec2(1.0, 0.0);
    vHalf = size / radius;
    // What is cut off throws no shadow.
    bool kept = dot(uCutInLab.xyz, place) + uCutInLab.w >= 0.0;
    vCorner = kept ? vec2(position.x * (vHalf + 1.0), position.y) : vec2(0.0, 2.0);
    float slope = core.z * size / max(size * size, radius * radius);
    vec2 corner = along * vCorner.x + vec2(-along.y, along.x) * vCorner.y;
    gl_Position = projectionMatrix * vec4(centre + vec3(corner, slope * vCorner.x) * radius, 1.0);
  }
`;

const CAST_FRAGMENT = /* glsl */ `
  in vec2 vCorner;
  flat in float vHalf;
  layout(location = 0) out highp vec4 outColour;

  void main() {
    vec2 from = vec2(max(abs(vCorner.x) - vHalf, 0.0), vCorner.y);
    if (dot(from, from) > 1.0) discard;
    outColour = vec4(1.0);
  }
`;

const SHADERS: Shaders = {
  vertex: VERTEX,
  fragment: FRAGMENT,
  castVertex: CAST_VERTEX,
  castFragment: CAST_FRAGMENT,
};
