// The material of walls.

import * as three from "three";
import { CUT, SHADOW } from "./shade";

export type Glass = three.ShaderMaterial;

/** With an opacity of its own; everything else is shared. */
export function glass(shared: Record<string, three.IUniform>): Glass {
  return new three.ShaderMaterial({
    glslVersion: three.GLSL3,
    uniforms: { ...shared, uOpacity: { value: 0.1 } },
    vertexShader: VERTEX,
    fragmentShader: FRAGMENT,
    transparent: true,
    depthWrite: false,
    side: three.DoubleSide,
  });
}

const VERTEX = /* glsl */ `
  in vec3 outward;
  out vec3 vPlace;
  out vec3 vOutward;

  void main() {
    vec4 place = modelViewMatrix * vec4(position, 1.0);
    vPlace = place.xyz;
    vOutward = mat3(modelViewMatrix) * outward;
    gl_Position = projectionMatrix * place;
  }
`;

const FRAGMENT = /* glsl */ `
  ${SHADOW}
  ${CUT}
  uniform mat4 uToLight;
  uniform vec3 uKey;
  uniform vec3 uTint;
  uniform vec3 uShade;
  uniform float uOpacity;
  uniform float uDepth;
  in vec3 vPlace;
  in vec3 vOutward;
  layout(location = 0) out highp vec4 outColour;

  void main() {
    if (keeps(vPlace) < 0.0) discard;
    vec3 toEye = isOrthographic ? vec3(0.0, 0.0, 1.0) : normalize(-vPlace);
    float facing = dot(vOutward, toEye);
    bool near = facing > 0.0;
    // The more opaque it is, the more it is a surface in the light rather than glass.
    float body = smoothstep(0.3, 1.0, uOpacity);
    // Shadows fall on what is behind the bodies.
    float dark = near ? 0.0 : 1.0 - lightAt((uToLight * vec4(vPlace, 1.0)).xyz, uShadowSoftness * 3.0);
    // Glass seen at a slant reflects more; a flat wall has no outward side and is seen alike from both.
    float slant = dot(vOutward, vOutward) > 0.0 ? pow(1.0 - abs(facing), 3.0) : 0.0;
    float clear = uOpacity * ((near ? 0.22 : 1.0) + 0.3 * slant);
    float glass = mix(clear, uOpacity, body);
    vec3 face = normalize(cross(dFdx(vPlace), dFdy(vPlace)));
    vec3 tint = uTint * mix(1.0, 0.72 + 0.38 * max(dot(face, uKey), 0.0), body);
    float shade = uDepth * dark * step(0.001, uOpacity);
    // Shade over glass over what is behind, blended by the graphics card as the colours are: not linear.
    float opacity = 1.0 - (1.0 - glass) * (1.0 - shade);
    outColour = vec4((tint * glass * (1.0 - shade) + uShade * shade) / max(opacity, 1e-4), opacity);
  }
`;
