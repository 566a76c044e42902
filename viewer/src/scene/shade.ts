// The light of the scene, for shaders: a key light with shadows, sky and ground, and a little from the viewer.

/** Looks up how much of the key light arrives, from 0 in shadow to 1. */
export const SHADOW = /* glsl */ `
  precision highp sampler2DShadow;
  uniform sampler2DShadow uShadow;
  uniform float uShadows;
  uniform float uShadowSoftness;
  uniform int uTaps;

  const vec2 TAPS[8] = vec2[8](
    vec2(-0.33, -0.94), vec2(0.94, -0.21), vec2(0.31, 0.62), vec2(-0.85, 0.41),
    vec2(-0.26, 0.03), vec2(0.41, -0.44), vec2(0.77, 0.60), vec2(-0.72, -0.42));

  /** Place: in the light's view, from 0 to 1 on each axis. */
  float lightAt(vec3 place, float softness) {
    if (uShadows == 0.0 || any(lessThan(place, vec3(0.0))) || any(greaterThan(place, vec3(1.0)))) return 1.0;
    // Each pixel turns the taps by another angle, so that steps become grain.
    float angle = 6.2832 * fract(52.9829 * fract(dot(gl_FragCoord.xy, vec2(0.06711, 0.00584))));
    mat2 spun = mat2(cos(angle), sin(angle), -sin(angle), cos(angle)) * softness;
    float light = 0.0;
    for (int i = 0; i < uTaps; i++) light += textureLod(uShadow, vec3(place.xy + spun * TAPS[i], place.z), 0.0);
    return mix(1.0, light / float(uTaps), uShadows);
  }
`;

export const SHADE = /* glsl */ `
  uniform vec3 uKey;
  uniform vec3 uUp;
  uniform vec3 uSky;
  uniform vec3 uGround;

  /** Colour of a surface; vectors are in view space, colours linear. */
  vec3 shaded(vec3 colour, vec3 normal, vec3 toEye, float key, float open) {
    float above = 0.5 + 0.5 * dot(normal, uUp);
    float facing = max(dot(normal, toEye), 0.0);
    vec3 around = mix(uGround, uSky, above) * open * mix(0.72, 1.0, facing);
    float lit = max(dot(normal, uKey), 0.0) * key;
    float shine = pow(max(dot(normal, normalize(uKey + toEye)), 0.0), 48.0) * key;
    return colour * (around + vec3(1.0, 0.965, 0.91) * lit * 1.75 + 0.16 * facing) + 0.16 * shine;
  }
`;

/** A plane cuts off what is on one side of it. */
export const CUT = /* glsl */ `
  /** Normal towards what is kept, and distance, in view space; a normal of zero keeps everything. */
  uniform vec4 uCut;

  /** How far a place in view space is within what is kept, m; negative for what is cut off. */
  float keeps(vec3 place) {
    return dot(uCut.xyz, place) + uCut.w;
  }
`;

/** From colours as they are stored to amounts of light. */
export const LINEAR = /* glsl */ `
  vec3 linear(vec3 colour) {
    return mix(colour / 12.92, pow((colour + 0.055) / 1.055, vec3(2.4)), step(0.04045, colour));
  }
`;
