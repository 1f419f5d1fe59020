// What the page measures against.  f* and g* are known as intervals (their error bars), as one-sided bounds that
// some run proved, or not at all; nothing is claimed beyond that.
import type { Interval, Report } from "./report";

export interface Reference {
  /** What is subtracted; NaN: nothing is known and raw values are shown. */
  value: number;
  /** Differences smaller than this mean nothing. */
  floor: number;
  /** "exact": the number itself; "interval": with an error bar; "bound": a proved lower bound only; "none". */
  kind: "exact" | "interval" | "bound" | "none";
}

const finite = (x: number | null | undefined): x is number => x != null && Number.isFinite(x);
const EPSILON = 2 ** -52;

function best_bound(report: Report, which: "upper_lower_bound" | "lower_lower_bound"): number {
  let best = NaN;
  for (const run of report.runs) {
    const bound = run.certificate[which];
    // A lower bound of g is proved wherever it is told; one of f only with that evidence.
    if (!finite(bound) || (which === "upper_lower_bound" && run.certificate.evidence !== "proved")) continue;
    if (!(best >= bound)) best = bound;
  }
  return best;
}

function known(interval: Interval | null): { low: number; high: number } | null {
  return interval && finite(interval.low) && finite(interval.high)
    ? { low: Math.min(interval.low, interval.high), high: Math.max(interval.low, interval.high) } : null;
}

/** The error of values of this size that are computed in double precision. */
const rounding = (size: number): number => 16 * EPSILON * Math.max(Math.abs(size), 1e-300);

/** For f: the middle of the interval, since a difference may have either sign. */
export function upper_reference(report: Report): Reference {
  const interval = known(report.upper_optimum);
  if (interval) {
    const value = interval.low + (interval.high - interval.low) / 2;
    const half = (interval.high - interval.low) / 2;
    if (half <= rounding(value)) return { value, floor: rounding(value), kind: "exact" };
    return { value, floor: half, kind: "interval" };
  }
  const value = best_bound(report, "upper_lower_bound");
  if (Number.isNaN(value)) return { value, floor: 0, kind: "none" };
  return { value, floor: rounding(value), kind: "bound" };
}

/** For g: the lower end, so that what is shown is never smaller than the gap. */
export function lower_reference(report: Report): Reference {
  const interval = known(report.lower_optimum);
  let largest = 0;  // rounding in g is relative to the values it has near the end
  for (const run of report.runs) if (finite(run.lower_value)) largest = Math.max(largest, Math.abs(run.lower_value));
  if (interval) {
    const floor = Math.max(interval.high - interval.low, rounding(interval.low));
    const exact = interval.high - interval.low <= rounding(interval.low);
    return { value: interval.low, floor, kind: exact ? "exact" : "interval" };
  }
  const value = best_bound(report, "lower_lower_bound");
  if (Number.isNaN(value)) return { value, floor: 0, kind: "none" };
  return { value, floor: rounding(Math.max(Math.abs(value), largest * EPSILON)), kind: "bound" };
}
