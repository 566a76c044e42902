// All ellipsoids in one draw call: boxes around them, in which a shader finds the surface and its true depth.
//
// Seen along the semi-axes, each in lengths of its own, an ellipsoid is the ball of radius one, and a line of sight is a line.
// Everything is reckoned from the point of the line next to the centre, so that small ones are smooth from afar.

import * as three from "three";
import { Instances, type Shaders } from "./instances";
import { COLOUR, PAINT } from "./paint";
import { POSE } from "./pose";

/** Ellipsoids have their semi-axes beside what spheres have; the radius is the longest of them. */
export function ellipsoidInstances(uniforms: Record<string, three.IUniform>): Instances {
  const corners = [0, 1, 2, 3, 4, 5, 6, 7].flatMap((corner) => [1, 2, 4].map((bit) => (corner & bit ? 1 : -1)));
  // prettier-ignore
  const triangles = [
    0, 2, 1, 1, 2, 3, 4, 5, 6, 5, 7, 6, 0, 1, 4, 1, 5, 4,
    2, 6, 3, 3, 6, 7, 0, 4, 2, 2, 4, 6, 1, 3, 5, 3, 7, 5,
  ];
  // Of the faces those that face away: they are there even if the eye is in the box.
  const axes: [string, number][] = ["axis_a", "axis_b", "axis_c"].map((name) => [name, 3]);
  return new Instances(uniforms, SHADERS, { corners, triangles, side: three.BackSide }, axes);
}

const VERTEX = /* glsl */ `
  ${POSE}
  ${COLOUR}
  in vec3 axis_a;
  in vec3 axis_b;
  in vec3 axis_c;
  out vec3 vPlace;
  flat out vec3 vCentre;
  flat out mat3 vAxes;
  flat out vec3 vColour;
  flat out float vPicked;

  void main() {
    Pose pose = poseOfBody();
    vec3 centre = (viewMatrix * vec4(placeIn(pose, sphere.xyz), 1.0)).xyz;
    mat3 view = mat3(viewMatrix);
    mat3 axes = mat3(view * turned(pose.turn, axis_a), view * turned(pose.turn, axis_b), view * turned(pose.turn, axis_c));
    // With the third one the other way it is the same ellipsoid, and the box has its faces outside.
    if (determinant(axes) < 0.0) axes[2] = -axes[2];
    vCentre = centre;
    vAxes = axes;
    vColour = colourOf(pose.value);
    vPicked = uPicked == body ? 1.0 : 0.0;
    // What is cut off as a whole is put out of sight.
    if (keeps(centre) < -sphere.w) {
      gl_Position = vec4(0.0, 0.0, 2.0, 1.0);
      return;
    }
    // And a pixel for the edge.
    float wide = uPixel * (isOrthographic ? 1.0 : length(centre) + sphere.w);
    vec3 corner = vec3(0.0);
    for (int axis = 0; axis < 3; axis += 1) {
      float size = length(axes[axis]);
      corner += axes[axis] * ((size + wide) / size * position[axis]);
    }
    vPlace = centre + corner;
    gl_Position = projectionMatrix * vec4(vPlace, 1.0);
  }
`;

const FRAGMENT = /* glsl */ `
  ${PAINT}
  in vec3 vPlace;
  flat in vec3 vCentre;
  flat in mat3 vAxes;

  void main() {
    // Along the semi-axes, in their lengths.
    vec3 squares = vec3(dot(vAxes[0], vAxes[0]), dot(vAxes[1], vAxes[1]), dot(vAxes[2], vAxes[2]));
    vec3 eye = isOrthographic ? vec3(vPlace.xy, 0.0) : vec3(0.0);
    vec3 ray = isOrthographic ? vec3(0.0, 0.0, -1.0) : normalize(vPlace);
    float away = dot(ray, vCentre - eye);
    vec3 origin = eye + ray * away - vCentre;
    vec3 from = (origin * vAxes) / squares;
    vec3 along = (ray * vAxes) / squares;

    float square = dot(along, along);
    float nearest = -dot(from, along) / square;
    vec3 beside = from + along * nearest;
    float far = length(beside);
    // How far it is to the edge: less than the distance of the ball, by how steep that is here.
    vec3 slope = vAxes * (beside / max(far, 1e-6) / squares);
    float inside = (1.0 - far) / max(length(slope - ray * dot(slope, ray)), 1e-20);
    float coverage = clamp(inside / (isOrthographic ? uPixel : uPixel * (away + nearest)) + 0.5, 0.0, 1.0);
    if (coverage <= 0.0) discard;

    float met = nearest - sqrt(max(1.0 - far * far, 0.0) / square);
    vec3 unit = from + along * met;
    vec3 hit = vCentre + origin + ray * met;
    vec3 normal = normalize(vAxes * (unit / squares));
    bool cut = keeps(hit) < 0.0;
    if (cut) {
      // It was met on the side that is cut off; what is seen is its flat face, if the ray meets that within it.
      float plane = planeAlong(eye, ray);
      hit = eye + ray * plane;
      vec3 within = ((hit - vCentre) * vAxes) / squares;
      if (plane < 0.0 || dot(within, within) > 1.0) discard;
      normal = -uCut.xyz;
    }
    paint(hit, normal, ray, coverage, cut);
  }
`;

/**
 * An ellipsoid throws the shadow of its middle as the light sees it, which is flat: the box pressed onto that plane. Where it is steep, what looks for
 * shadows around a point would find the middle before the surface; so it lies deeper by half of what is below it.
 */
const CAST_VERTEX = /* glsl */ `
  ${POSE}
  uniform vec4 uCutInLab;
  in vec3 axis_a;
  in vec3 axis_b;
  in vec3 axis_c;
  /** From the centre as the light sees it. */
  out vec2 vCorner;
  /** By which a point is within the outline: xx, xy, yy. */
  flat out vec3 vInverse;

  void main() {
    Pose pose = poseOfBody();
    vec3 place = placeIn(pose, sphere.xyz);
    vec3 centre = (viewMatrix * vec4(place, 1.0)).xyz;
    mat3 view = mat3(viewMatrix);
    mat3 axes = mat3(view * turned(pose.turn, axis_a), view * turned(pose.turn, axis_b), view * turned(pose.turn, axis_c));
    mat3 both = axes * transpose(axes);
    float size = both[0][0] * both[1][1] - both[0][1] * both[0][1];
    vInverse = vec3(both[1][1], -both[0][1], both[0][0]) / size;
    vec2 tilt = vec2(
      vInverse.x * both[0][2] + vInverse.y * both[1][2],
      vInverse.y * both[0][2] + vInverse.z * both[1][2]);
    // What is cut off throws no shadow.
    bool kept = dot(uCutInLab.xyz, place) + uCutInLab.w >= 0.0;
    vec3 corner = axes * position;
    vCorner = kept ? corner.xy : vec2(4.0 * sphere.w);
    float below = sqrt(max(both[2][2] - dot(tilt, vec2(both[0][2], both[1][2])), 0.0));
    gl_Position = projectionMatrix * vec4(centre + vec3(corner.xy, dot(tilt, corner.xy) - 0.5 * below), 1.0);
  }
`;

const CAST_FRAGMENT = /* glsl */ `
  in vec2 vCorner;
  flat in vec3 vInverse;
  layout(location = 0) out highp vec4 outColour;

  void main() {
    vec2 p = vCorner;
    if (vInverse.x * p.x * p.x + 2.0 * vInverse.y * p.x * p.y + vInverse.z * p.y * p.y > 1.0) discard;
    outColour = vec4(1.0);
  }
`;

const SHADERS: Shaders = {
  vertex: VERTEX,
  fragment: FRAGMENT,
  castVertex: CAST_VERTEX,
  castFragment: CAST_FRAGMENT,
};
