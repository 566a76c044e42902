// Where a piece of a body is, for shaders: places and orientations of bodies come in textures, a texel for each body, for two
// frames between which the shader interpolates. So only bodies travel to the graphics card, and only once per frame.

/** Texels in a row of the textures. */
export const WIDTH = 1024;

export const POSE = /* glsl */ `
  precision highp isampler2D;
  uniform sampler2D uPlaceA;
  uniform sampler2D uPlaceB;
  uniform isampler2D uTurnA;
  uniform isampler2D uTurnB;
  uniform float uMix;
  uniform vec3 uPeriod;

  in float body;
  in vec4 sphere;

  vec4 unitQuaternion(ivec4 parts) {
    vec4 q = vec4(parts);
    float size = length(q);
    return size > 0.0 ? q / size : vec4(1.0, 0.0, 0.0, 0.0);
  }

  vec4 slerp(vec4 a, vec4 b, float mixing) {
    float cosine = dot(a, b);
    if (cosine < 0.0) { b = -b; cosine = -cosine; }
    if (cosine > 0.9995) return normalize(mix(a, b, mixing));
    float angle = acos(cosine);
    return (sin((1.0 - mixing) * angle) * a + sin(mixing * angle) * b) / sin(angle);
  }

  vec3 turned(vec4 q, vec3 v) {
    return v + 2.0 * cross(q.yzw, cross(q.yzw, v) + q.x * v);
  }

  /** Where the body is in the lab, how it is turned, and the value that its colour is made of. */
  struct Pose {
    vec3 place;
    vec4 turn;
    float value;
  };

  Pose poseOfBody() {
    int row = int(body);
    ivec2 texel = ivec2(row % ${WIDTH}, row / ${WIDTH});
    vec4 from = texelFetch(uPlaceA, texel, 0);
    vec4 way = texelFetch(uPlaceB, texel, 0) - from;
    // The shortest way where axes are periodic.
    vec3 turns = mix(vec3(0.0), round(way.xyz / max(uPeriod, vec3(1e-30))), greaterThan(uPeriod, vec3(0.0)));
    way.xyz -= uPeriod * turns;
    vec4 q = slerp(
      unitQuaternion(texelFetch(uTurnA, texel, 0)), unitQuaternion(texelFetch(uTurnB, texel, 0)), uMix);
    vec4 place = from + way * uMix;
    return Pose(place.xyz, q, place.w);
  }

  /** A point of the body in the lab. */
  vec3 placeIn(Pose pose, vec3 point) {
    return pose.place + turned(pose.turn, point);
  }
`;
