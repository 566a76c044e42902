// Colours that people with any kind of colour vision tell apart: viridis and a warm map for amounts, the palette of
// Okabe and Ito for kinds. Maps are given by a few of their colours, between which it is interpolated.

export type Rgb = [number, number, number];

/** Viridis (van der Walt and Smith), dark to bright. */
export const AMOUNTS: readonly string[] = [
  "#440154", "#482878", "#3e4a89", "#31688e", "#26828e", "#1f9e89", "#35b779", "#6ece58", "#b5de2b", "#fde725",
];

/** For forces, over bodies that are dimmed: dark red to yellow, the upper part of inferno. */
export const FORCES: readonly string[] = ["#781c6d", "#a52c60", "#cf4446", "#ed6925", "#fb9b06", "#f7d13d"];

/** For amounts that have a sign: blue below zero, red above, white between. */
export const SIGNED: readonly string[] = [
  "#2166ac", "#4393c3", "#92c5de", "#d1e5f0", "#f7f7f7", "#fddbc7", "#f4a582", "#d6604d", "#b2182b",
];

/** Okabe and Ito, without black, which would be lost on dark ground. */
export const KINDS: readonly string[] = [
  "#e69f00", "#56b4e9", "#009e73", "#d55e00", "#cc79a7", "#0072b2", "#f0e442", "#999999",
];

export function parseColour(hex: string): Rgb {
  const value = Number.parseInt(hex.slice(1), 16);
  return [(value >> 16) & 255, (value >> 8) & 255, value & 255];
}

/** The colour of a map at a place from 0 to 1. */
export function sample(map: readonly string[], at: number): Rgb {
  const place = Math.min(Math.max(Number.isNaN(at) ? 0 : at, 0), 1) * (map.length - 1);
  const low = Math.min(Math.floor(place), map.length - 2);
  const [from, to] = [parseColour(map[low]!), parseColour(map[low + 1]!)];
  return from.map((part, i) => part + (to[i]! - part) * (place - low)) as Rgb;
}

/** The colour of the kind with a number; kinds beyond the palette begin anew. */
export function kindColour(kind: number): string {
  return KINDS[kind % KINDS.length]!;
}

/** A row of colours for the graphics card: 256 of a map, or the palette. */
export function table(map: readonly string[], smooth: boolean): Uint8Array {
  const size = smooth ? 256 : map.length;
  const bytes = new Uint8Array(size * 4);
  for (let i = 0; i < size; i += 1) {
    const [r, g, b] = smooth ? sample(map, i / (size - 1)) : parseColour(map[i]!);
    bytes.set([Math.round(r), Math.round(g), Math.round(b), 255], 4 * i);
  }
  return bytes;
}

export function css([r, g, b]: Rgb): string {
  return `rgb(${Math.round(r)} ${Math.round(g)} ${Math.round(b)})`;
}

export function gradient(map: readonly string[], direction = "to right"): string {
  return `linear-gradient(${direction}, ${map.join(", ")})`;
}
