// What the page takes from scene.toml and summary.json.

export interface Summary {
  /** Why a run failed. */
  reason: string | null;
  /** Rotation scheme, contact law and time step, in a line. */
  method: string | null;
}

/**
 * Gravity, to know which way is up. The scene of a result folder is written by the program, in one form; a parser
 * for all of TOML would be larger than this page's own code.
 */
export function readGravity(scene: string): [number, number, number] | null {
  const vector = /^\s*gravity\s*=\s*\[([^\]]*)\]/m.exec(scene);
  const parts = vector?.[1]?.split(",").map(Number).filter(Number.isFinite) ?? [];
  const [x, y, z] = parts;
  if (x === undefined || y === undefined || z === undefined || Math.hypot(x, y, z) === 0) return null;
  return [x, y, z];
}

export function readSummary(text: string | null): Summary | null {
  if (text === null) return null;
  try {
    const summary = JSON.parse(text) as {
      ended?: { reason?: string };
      method?: { rotation?: string; law?: string; dt_s?: number };
    };
    const { rotation, law, dt_s } = summary.method ?? {};
    const method = rotation !== undefined && law !== undefined && dt_s !== undefined;
    return {
      reason: summary.ended?.reason ?? null,
      method: method ? `${rotation}, ${law}, dt ${dt_s.toPrecision(4)} s` : null,
    };
  } catch {
    return null;
  }
}
