// How far a run got, judged from outside by f* and g*: ranking, legend and table say the same.
import type { Report, Run } from "./report";

/** "left": it had a weak optimal point, but returned another one. */
export type Standing = "proved" | "reached" | "left" | "never";

export const STANDINGS: readonly (readonly [Standing, string])[] = [
  ["proved", "got there, with a proof"],
  ["reached", "got there, without a proof"],
  ["left", "got there, but returned another point"],
  ["never", "never got there"],
];

/** Without f* and g* nobody can be judged; where a theorem is tried, nobody races. */
export const can_be_judged = (report: Report): boolean =>
  report.runs.length > 1 && report.upper_optimum != null && report.lower_optimum != null && !report.finding;

export function standing_of(run: Run): Standing {
  if (run.status === "certified") return "proved";
  if (!run.weak_after) return "never";
  return run.weak_after.returned ? "reached" : "left";
}

export type Measure = "passes" | "seconds";

export const all_passes = (run: Run): number => run.work.upper_passes + run.work.lower_passes;

/** Passes up to the certificate: a run may go on after it, nearer to the solution.  Null: there is none. */
export function passes_to_proof(run: Run): number | null {
  return run.status === "certified" ? run.work.certified_after ?? all_passes(run) : null;
}

export function work_to_proof(run: Run, measure: Measure): number | null {
  if (measure === "passes") return passes_to_proof(run);
  // The clock was not read at the certificate.
  return run.status === "certified" && passes_to_proof(run) === all_passes(run) ? run.seconds : null;
}

/** Work up to the first point that is surely weak optimal; null: there was none. */
export function work_to_reach(run: Run, measure: Measure): number | null {
  return run.weak_after ? run.weak_after[measure] : work_to_proof(run, measure);
}
