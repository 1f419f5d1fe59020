// Points of the charts: one list per run, the returned point last.
import type { Reference } from "./reference";
import { at, type Run } from "./report";

export type Axis = "passes" | "iterations" | "seconds";

export const AXES: readonly (readonly [Axis, string])[] = [
  ["passes", "passes"], ["iterations", "iterations"], ["seconds", "seconds"],
];

export const AXIS_LABELS: Record<Axis, string> = {
  passes: "passes (products with the data)",
  iterations: "iterations",
  seconds: "seconds",
};

/** One moment of a run; differences against the references, NaN where not known. */
export interface Point {
  name: string;
  index: number;   // of the run
  x: number;
  f: number;
  g: number;
  excess: number;  // f - f*
  gap: number;     // g - g*
  far: number;     // max{(f - f*)/eps_f, (g - g*)/eps_g}, at most; weak optimal at 1 and below
  proved_gap: number;
  proved_excess: number;
  low: number;     // of the bracket, minus f*
  high: number;
  returned: boolean;
}

export interface Line { run: Run; index: number; points: Point[] }

/** How far a point may be from what was asked for, in units of it; f* and g* at the lower ends of their error bars. */
function distance(excess: number, gap: number, upper: Reference, lower: Reference, run: Run): number {
  const known = (kind: Reference["kind"]): boolean => kind === "exact" || kind === "interval";
  const { accuracy } = run;
  if (!known(upper.kind) || !known(lower.kind) || !accuracy.upper || !accuracy.lower) return NaN;
  const error = upper.kind === "interval" ? upper.floor : 0;
  return Math.max((excess + error) / accuracy.upper, gap / accuracy.lower);
}

function amount(run: Run, axis: Axis, index: number): number {
  const { samples } = run;
  if (axis === "iterations") return at(samples.iterations, index);
  if (axis === "seconds") return at(samples.seconds, index);
  return at(samples.upper_passes, index) + at(samples.lower_passes, index);
}

export function total(run: Run, axis: Axis): number {
  if (axis === "iterations") return run.work.iterations;
  if (axis === "seconds") return run.seconds ?? NaN;
  return run.work.upper_passes + run.work.lower_passes;
}

const minus = (value: number, reference: Reference): number =>
  reference.kind === "none" ? value : value - reference.value;

export function line_of(run: Run, index: number, axis: Axis, upper: Reference, lower: Reference): Line {
  const points: Point[] = [];
  const { samples } = run;
  for (let i = 0; i < samples.count; ++i) {
    const f = at(samples.upper_value, i), g = at(samples.lower_value, i);
    points.push({ name: run.name, index, x: amount(run, axis, i), f, g, excess: minus(f, upper), gap: minus(g, lower),
      far: distance(minus(f, upper), minus(g, lower), upper, lower, run),
      proved_gap: at(samples.lower_gap, i), proved_excess: at(samples.upper_excess, i),
      low: minus(at(samples.bracket_low, i), upper), high: minus(at(samples.bracket_high, i), upper),
      returned: false });
  }
  const f = run.upper_value ?? NaN, g = run.lower_value ?? NaN;
  const known = run.certificate;
  const bound = known.evidence === "proved" ? known.upper_lower_bound ?? NaN : NaN;
  points.push({ name: run.name, index, x: total(run, axis), f, g, excess: minus(f, upper), gap: minus(g, lower),
    far: distance(minus(f, upper), minus(g, lower), upper, lower, run),
    proved_gap: known.lower_gap ?? NaN, proved_excess: known.upper_excess ?? NaN,
    low: minus(bound, upper), high: minus(f, upper), returned: true });
  return { run, index, points: points.filter((point) => Number.isFinite(point.x)) };
}

/** Runs of very different length are only seen together on a logarithmic axis. */
export function wants_logarithm(runs: Run[], axis: Axis): boolean {
  const totals = runs.map((run) => total(run, axis)).filter((value) => value > 0);
  return totals.length > 0 && Math.max(...totals) > 20 * Math.min(...totals);
}

/** Smallest and largest of the finite numbers; null: there are none. */
export function extent(values: Iterable<number>): [number, number] | null {
  let low = Infinity, high = -Infinity;
  for (const value of values) {
    if (!Number.isFinite(value)) continue;
    if (value < low) low = value;
    if (value > high) high = value;
  }
  return low <= high ? [low, high] : null;
}
