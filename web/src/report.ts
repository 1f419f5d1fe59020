// What the program wrote into the page; the shape is stated in src/report/report_json.cpp.

export interface Accuracy { upper: number | null; lower: number | null; tight: boolean }
export interface Interval { low: number | null; high: number | null }
export interface Cut { multiplier: number | null; value: number | null }
export type Pair = [string, string];

export interface Certificate {
  evidence: string;
  upper_excess: number | null;
  lower_gap: number | null;
  upper_lower_bound: number | null;
  lower_lower_bound: number | null;
  tight_level: number | null;
  tight_excess: number | null;
}

/** Columns of equal length `count`; a column without any number is empty. */
export interface Samples {
  count: number;
  iterations: number[];
  upper_passes: number[];
  lower_passes: number[];
  seconds: (number | null)[];
  upper_value: (number | null)[];
  lower_value: (number | null)[];
  bracket_low: (number | null)[];
  bracket_high: (number | null)[];
  upper_excess: (number | null)[];
  lower_gap: (number | null)[];
}

export interface Run {
  name: string;
  method: string;
  engine: string;
  status: string;
  message: string;
  upper_value: number | null;
  lower_value: number | null;
  certificate: Certificate;
  multiplier: number | null;
  accuracy: Accuracy;
  /** `certified_after`: passes up to the certificate, where the run went on after it. */
  work: { iterations: number; upper_passes: number; lower_passes: number; projections: number; certified_after?: number | null };
  seconds: number | null;
  options: Pair[];
  samples: Samples;
  cuts: Cut[];
  /** Work up to the first point that is surely weak optimal; null: none, or not known. */
  weak_after: { passes: number; iterations: number; seconds: number; returned: boolean } | null;
  /** More columns of the table. */
  columns: Pair[];
}

/** The returned point of the first run. */
export interface Solution {
  dimension: number;
  nonzero: number;
  largest: { index: number; name: string | null; value: number | null }[];
  shape: number[];  // one number: a curve; rows and columns: an image, row by row; none: neither
  values: (number | null)[];  // all of x, where there is a shape
}

/** How the signs of the scores at the returned point of the first run agree with the labels. */
export interface Classifier {
  level: string;
  name: string;
  rows: number;
  positives: number;
  accuracy: number;
  auc: number | null;  // null: one class only
}

/** What an experiment was to find out. */
export interface Finding { holds: boolean; headline: string; text: string }

export interface BoundSample {
  accuracy: number;
  bound: number;
  judged: number;  // 0: not reached
  longest_round: number | null;
  rounds: number | null;
  gradients: number;
  first_weak: number | null;
}
export interface BoundLine { name: string; exponent: number | null; samples: BoundSample[] }
export interface Bounds { expected_exponent: number; lines: BoundLine[] }

export interface Report {
  schema: number;
  version: string;
  kind: string;
  title: string;
  introduction: string;
  problem: Pair[];
  accuracy: Accuracy;
  upper_optimum: Interval | null;
  lower_optimum: Interval | null;
  certificate: string;
  runs: Run[];
  solution: Solution | null;
  classifiers: Classifier[];
  finding: Finding | null;
  left_out: { name: string; why: string }[];
  bounds?: Bounds;  // the page of `fcbio bounds`, which has no runs
}

export function read_report(): Report {
  const block = document.getElementById("report-data");
  return JSON.parse(block?.textContent ?? "") as Report;
}

/** NaN for what is not known. */
export function at(column: (number | null)[], index: number): number {
  return column[index] ?? NaN;
}
