// Mass and energies of a body, where the file tells volumes and densities. Formulas are exact but for the axis of the
// spin: files have its magnitude, and its axis is taken from the turn between two frames.

import type { Header } from "./data/format";
import type { BodyList } from "./data/trajectory";
import type { Instant, Quaternion, Vector } from "./interpolation";

/** kg; null where the file does not tell. */
export function massOf(header: Header, list: BodyList, row: number): number | null {
  const volume = header.templates[list.kinds[2 * row]!]?.volume;
  const density = header.densities?.[list.kinds[2 * row + 1]!];
  return volume === undefined || density === undefined ? null : density * volume * list.scales[row]! ** 3;
}

/** J; null where the file does not tell, or the body does not turn visibly between the frames. */
export function rotationalEnergy(header: Header, instant: Instant, row: number): number | null {
  const { list } = instant;
  const moments = header.templates[list.kinds[2 * row]!]?.moments_per_density;
  const density = header.densities?.[list.kinds[2 * row + 1]!];
  const axis = instant.turnAxis(row);
  if (moments === undefined || density === undefined || axis === null) return null;
  const spin = instant.scalar("spins", row);
  const moment = moments.reduce((sum, part, i) => sum + part * axis[i]! ** 2, 0);
  return 0.5 * density * list.scales[row]! ** 5 * moment * spin ** 2;
}

/** The axis about which one orientation becomes another, in the axes of the body; null for hardly any turn. */
export function axisBetween(a: Quaternion, b: Quaternion): Vector | null {
  // The vector of a⁻¹ b.
  const x = a[0] * b[1] - a[1] * b[0] - a[2] * b[3] + a[3] * b[2];
  const y = a[0] * b[2] - a[2] * b[0] - a[3] * b[1] + a[1] * b[3];
  const z = a[0] * b[3] - a[3] * b[0] - a[1] * b[2] + a[2] * b[1];
  const size = Math.hypot(x, y, z);
  // Orientations are stored to 10⁻⁴ rad.
  return size < 1e-3 ? null : [x / size, y / size, z / size];
}
