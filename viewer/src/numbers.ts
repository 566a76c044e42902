// Numbers for people: prefixes of units, and round marks for axes.

/** Units that take no prefix: they have one, or it would be squared with them, or nobody writes it. */
const BARE = /^(|k.*|mm[²³]?|m[²³].*|1\/.*|°|%|rpm)$/;
const PREFIXES = ["p", "n", "µ", "m", "", "k", "M", "G", "T"];

/** A value with its unit, to some digits: 0.00342 m/s is "3.42 mm/s". */
export function quantity(value: number, unit: string, digits = 3): string {
  if (!Number.isFinite(value)) return "not a number";
  const { factor, prefix } = scaleFor(Math.abs(value), unit);
  return `${plain(value / factor, digits)}\u202f${prefix}${unit}`.trim();
}

/** The prefix that makes a value lie between 1 and 1000. */
export function scaleFor(value: number, unit: string): { factor: number; prefix: string } {
  if (value === 0 || BARE.test(unit) || !Number.isFinite(value)) return { factor: 1, prefix: "" };
  // 999.9 m is shown as 1 km, not as 1000 m.
  const power = Math.floor((Math.log10(Number(value.toPrecision(3))) + 1e-9) / 3);
  const shown = Math.min(Math.max(power, -4), 4);
  return { factor: 10 ** (3 * shown), prefix: PREFIXES[shown + 4]! };
}

/** To some significant digits, without needless zeros. */
export function plain(value: number, digits = 3): string {
  if (value === 0) return "0";
  // Rounded first, since 0.9999 has the decimals of 1.
  const size = Math.abs(Number(value.toPrecision(digits)));
  if (size >= 1e6 || size < 1e-4) return value.toExponential(Math.max(digits - 1, 0)).replaceAll("-", "−");
  const decimals = Math.max(digits - 1 - Math.floor(Math.log10(size)), 0);
  return value.toFixed(Math.min(decimals, 12)).replace("-", "−");
}

/** Thousands are set apart by thin spaces. */
export function count(value: number): string {
  return String(Math.round(value)).replace(/\B(?=(\d{3})+$)/g, "\u202f");
}

export function many(value: number, one: string, more = `${one}s`): string {
  return `${count(value)} ${value === 1 ? one : more}`;
}

/** Numbers of pieces of each kind. */
export interface Counts {
  spheres: number;
  capsules: number;
  ellipsoids: number;
  polyhedra: number;
}

/** Spheres, capsules, ellipsoids and polyhedra, as far as there are any. */
export function manyPieces({ spheres, capsules, ellipsoids, polyhedra }: Counts): string[] {
  const round = spheres > 0 || capsules + ellipsoids + polyhedra === 0 ? [many(spheres, "sphere")] : [];
  if (capsules > 0) round.push(many(capsules, "capsule"));
  if (ellipsoids > 0) round.push(many(ellipsoids, "ellipsoid"));
  if (polyhedra > 0) round.push(many(polyhedra, "polyhedron", "polyhedra"));
  return round;
}

/** Round numbers from low to high, about so many, and how many decimals they need. */
export function ticks(low: number, high: number, about: number): { values: number[]; decimals: number } {
  if (!(high > low) || !Number.isFinite(high - low)) return { values: [low], decimals: 0 };
  const raw = (high - low) / Math.max(about, 1);
  const power = 10 ** Math.floor(Math.log10(raw));
  const step = [1, 2, 5, 10].map((round) => round * power).find((round) => round >= raw * (1 - 1e-9))!;
  const values = [];
  for (let number = Math.ceil(low / step - 1e-9); number * step <= high + step * 1e-9; number += 1) {
    // Not −0, which would be shown so.
    values.push(number * step + 0);
  }
  return { values, decimals: Math.max(-Math.floor(Math.log10(step) + 1e-9), 0) };
}

/** So many whole numbers below a limit, evenly spread, the first and the last among them. */
export function spread(limit: number, most: number): number[] {
  const count = Math.min(limit, most);
  return Array.from({ length: count }, (_, i) => (count > 1 ? Math.round((i * (limit - 1)) / (count - 1)) : 0));
}
