// Colour and light of the surfaces of bodies, for shaders: what all pieces have in common.

import { CUT, LINEAR, SHADE, SHADOW } from "./shade";

/** Before the main function of a vertex shader. */
export const COLOUR = /* glsl */ `
  ${LINEAR}
  ${CUT}
  uniform float uPixel;
  uniform float uPicked;
  uniform sampler2D uMap;
  uniform vec2 uRange;
  uniform bool uLog;
  uniform float uKinds;

  vec3 colourOf(float value) {
    if (uKinds > 0.0) return linear(texture(uMap, vec2((mod(value, uKinds) + 0.5) / uKinds, 0.5)).rgb);
    float part = uLog
      ? log(max(value / uRange.x, 1.0)) / log(uRange.y / uRange.x)
      : (value - uRange.x) / (uRange.y - uRange.x);
    float at = clamp(part, 0.0, 1.0) * (255.0 / 256.0) + 0.5 / 256.0;
    return linear(texture(uMap, vec2(at, 0.5)).rgb);
  }
`;

/** Before the main function of a fragment shader, whose vertex shader gives \`vColour\` and \`vPicked\`. */
export const PAINT = /* glsl */ `
  ${SHADOW}
  ${SHADE}
  ${CUT}
  uniform mat4 projectionMatrix;
  uniform mat4 uToLight;
  uniform float uPixel;
  uniform float uDim;
  uniform vec3 uDimTo;
  uniform float uTexel;
  flat in vec3 vColour;
  flat in float vPicked;
  layout(location = 0) out highp vec4 outColour;
  #define gl_FragColor outColour

  /** Where the plane that cuts is met by a ray that comes from what is cut off; negative if it is not. */
  float planeAlong(vec3 origin, vec3 ray) {
    float slope = dot(uCut.xyz, ray);
    return slope > 0.0 ? -keeps(origin) / slope : -1.0;
  }

  /** A point of a surface, or of a face that a cut has left; places and directions in view space. */
  void paint(vec3 hit, vec3 normal, vec3 ray, float coverage, bool cut) {
    vec4 clip = projectionMatrix * vec4(hit, 1.0);
    gl_FragDepth = 0.5 + 0.5 * clip.z / clip.w;
    vec3 shifted = hit + normal * (3.0 * uTexel);
    vec3 place = (uToLight * vec4(shifted, 1.0)).xyz;
    // What faces away from the light needs no look at its shadow. A cut is lit evenly: it is no surface of the scene.
    float key = cut ? 0.6 : dot(normal, uKey) > 0.0 ? lightAt(place, uShadowSoftness) : 0.0;
    float open = cut ? 1.0 : mix(0.62, 1.0, lightAt(place, uShadowSoftness * 9.0));
    vec3 light = shaded(vColour, normal, -ray, key, open);
    light = mix(light, uDimTo, uDim * (1.0 - vPicked));
    float rim = 1.0 - max(dot(normal, -ray), 0.0);
    light = mix(light, vec3(1.0, 0.93, 0.8), vPicked * (0.12 + 0.88 * smoothstep(0.45, 0.95, rim)));
    outColour = vec4(light, coverage);
    #include <colorspace_fragment>
  }
`;
