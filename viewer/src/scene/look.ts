// Colours of the scene in light and dark.

import type { Rgb } from "../colour";
import { parseColour } from "../colour";

export interface Look {
  /** Behind everything, from above to below. */
  top: string;
  bottom: string;
  wall: string;
  wallOpacity: number;
  edge: string;
  edgeOpacity: number;
  shadow: string;
  /** How dark shadows on walls are. */
  shadowDepth: number;
  /** Light that comes from above and below, linear. */
  sky: [number, number, number];
  ground: [number, number, number];
  /** Where bodies fade to when contact forces are shown. */
  dim: string;
  /** And how far. */
  fade: number;
  trace: string;
}

export const LOOKS: Record<"light" | "dark", Look> = {
  light: {
    top: "#f7f9fb",
    bottom: "#d9e0e7",
    wall: "#7e93a8",
    wallOpacity: 0.13,
    edge: "#3b4a5a",
    edgeOpacity: 0.55,
    shadow: "#27313d",
    shadowDepth: 0.3,
    sky: [0.74, 0.79, 0.86],
    ground: [0.4, 0.38, 0.36],
    dim: "#dde3e9",
    fade: 0.66,
    trace: "#c2410c",
  },
  dark: {
    top: "#222a34",
    bottom: "#0c0f13",
    wall: "#8fa8c2",
    wallOpacity: 0.1,
    edge: "#b8c9da",
    edgeOpacity: 0.5,
    shadow: "#000000",
    shadowDepth: 0.42,
    sky: [0.5, 0.57, 0.68],
    ground: [0.22, 0.21, 0.22],
    dim: "#1d242d",
    fade: 0.8,
    trace: "#ffb454",
  },
};

/** A colour as shaders want it: linear, from 0 to 1. */
export function linear(hex: string): Rgb {
  return parseColour(hex).map((part) => {
    const value = part / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  }) as Rgb;
}
