// Units as names of columns and fields end with them, and as they are written.

const UNITS: Record<string, string> = {
  s: "s", m: "m", mm: "mm", m2: "m²", m3: "m³", kg: "kg", g: "g", N: "N", Nm: "N\u202fm", W: "W", J: "J", Pa: "Pa", kPa: "kPa",
  Hz: "Hz", K: "K", deg: "°", rad: "rad", rpm: "rpm", percent: "%",
  "m/s": "m/s", "m/s2": "m/s²", "rad/s": "rad/s", "kg/s": "kg/s", "1/s": "1/s", "kg/m3": "kg/m³",
  "1/m3": "1/m³", "kg/m2s": "kg/m²s", "kg/ms": "kg/m\u202fs", "m2/s2": "m²/s²", "N/m": "N/m", "N/m2": "N/m²", "N/m3": "N/m³",
};

/** How a unit is written; as it is if it is not known. */
export function unitOf(unit: string): string {
  return UNITS[unit] ?? unit;
}

/** `force_x_N` is "force x" in N. */
export function partsOf(column: string): { words: string; unit: string } {
  const at = column.lastIndexOf("_");
  const unit = at > 0 ? UNITS[column.slice(at + 1)] : undefined;
  return unit === undefined
    ? { words: column.replaceAll("_", " "), unit: "" }
    : { words: column.slice(0, at).replaceAll("_", " "), unit };
}

export function capital(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1);
}
