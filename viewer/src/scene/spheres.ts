// All spheres in one draw call: squares that face the viewer, in which a shader finds the ball and its true depth.
//
// A square has four corners where a ball of triangles has hundreds, and the ball is round at any distance. Edges are
// smoothed by the coverage of multisampling, since the silhouette is not one of triangles.

import * as three from "three";
import { Instances, type Shaders } from "./instances";
import { COLOUR, PAINT } from "./paint";
import { POSE } from "./pose";

export function sphereInstances(uniforms: Record<string, three.IUniform>): Instances {
  const corners = [-1, -1, 0, 1, -1, 0, 1, 1, 0, -1, 1, 0];
  return new Instances(uniforms, SHADERS, { corners, triangles: [0, 1, 2, 0, 2, 3], side: three.FrontSide });
}

const VERTEX = /* glsl */ `
  ${POSE}
  ${COLOUR}
  out vec3 vPlace;
  flat out vec3 vCentre;
  flat out vec3 vColour;
  flat out float vRadius;
  flat out float vPicked;

  void main() {
    Pose pose = poseOfBody();
    vec3 centre = (viewMatrix * vec4(placeIn(pose, sphere.xyz), 1.0)).xyz;
    float distance2 = dot(centre, centre);
    float radius = sphere.w;
    vCentre = centre;
    vColour = colourOf(pose.value);
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
  ${PAINT}
  in vec3 vPlace;
  flat in vec3 vCentre;
  flat in float vRadius;

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
    bool cut = keeps(hit) < 0.0;
    if (cut) {
      // The ball was met on the side that is cut off; what is seen is its flat face, if the ray comes that far.
      float at = planeAlong(origin, ray);
      if (at < 0.0 || at > along + depth) discard;
      hit = origin + ray * at;
      normal = -uCut.xyz;
    }
    paint(hit, normal, ray, coverage, cut);
  }
`;

/** A ball throws the shadow of a disc through its centre, which is cheaper to draw: nothing changes its depth. */
const CAST_VERTEX = /* glsl */ `
  ${POSE}
  uniform vec4 uCutInLab;
  out vec2 vCorner;

  void main() {
    vec3 place = placeIn(poseOfBody(), sphere.xyz);
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

const SHADERS: Shaders = {
  vertex: VERTEX,
  fragment: FRAGMENT,
  castVertex: CAST_VERTEX,
  castFragment: CAST_FRAGMENT,
};
