// The charts over work: both levels in units of what was asked for, lower gap, signed upper excess, bracket.
import * as Plot from "@observablehq/plot";
import { log_axis, signed_axis, work_axis } from "./axes";
import type { Key } from "./keys";
import {
  all_points, asked_key, asked_rule, bound_marks, draw, ends, MUTED, of_run, run_marks, signed_keys, signed_marks, tip, where,
  type Drawing, type View,
} from "./marks";
import { format_number, format_signed } from "./numbers";
import { look_of } from "./palette";
import { AXIS_LABELS, type Line, type Point } from "./series";

// More areas than this on top of each other say nothing.
const MOST_AREAS = 6;

// Nearer than this to the solution, in units of what was asked for, nothing more is shown.
const NEAR_ENOUGH = 1e-2;

function horizontal(view: View, lines = view.lines) {
  const axis = work_axis(all_points(lines).map((p) => p.x), view.axis, view.logarithmic, view.width);
  return { scale: axis.scale, x: (p: Point): number => axis.clamp(p.x) };
}

const BOUND_KEY: Key = { kind: "bound", words: "what the run knew to be proved or estimated at that time" };

/** Both levels in one chart: max{(f - f*)/eps_f, (g - g*)/eps_g}. */
export function distance_chart(view: View): Drawing {
  const { scale, x } = horizontal(view);
  const label = "max{(f \u2212 f*)/eps_f, (g \u2212 g*)/eps_g}";
  const y = (p: Point): number => (Number.isFinite(p.far) ? Math.max(p.far, NEAR_ENOUGH) : NaN);
  const y_axis = log_axis(all_points(view.lines).map(y), NEAR_ENOUGH, 1, label);
  if (!y_axis) return "No values of f and g were recorded.";
  return draw({ width: view.width, x: scale, y: { ...y_axis.scale, grid: true },
    marks: [
      Plot.rect([0], { y1: y_axis.low, y2: 1, fill: "var(--good)", fillOpacity: 0.08, className: "reached" }),
      asked_rule(1),
      ...run_marks(view, x, y),
      tip(view, x, y, (p) => `${where(view, p)}\n${format_number(p.far)} times what was asked for`),
    ] }, `${label} against ${AXIS_LABELS[view.axis]}`,
    [{ kind: "asked", words: "what was asked for: there at 1 and below" }]);
}

export const has_distance = (line: Line): boolean => line.points.some((p) => Number.isFinite(p.far));

export function gap_chart(view: View): Drawing {
  const { scale, x } = horizontal(view);
  const raw = view.lower.kind === "none";
  const gaps = all_points(view.lines).flatMap((p) => (view.bounds ? [p.gap, p.proved_gap] : [p.gap]));
  const label = raw ? "g(x\u2096)" : view.lower.kind === "exact" ? "g(x\u2096) \u2212 g*" : "g(x\u2096) \u2212 g* (at most)";
  const name = `${label} against ${AXIS_LABELS[view.axis]}`;
  if (raw) {
    const y = (p: Point): number => p.g;
    if (!gaps.some(Number.isFinite)) return "No values of g were recorded.";
    return draw({ width: view.width, x: scale, y: { label, labelArrow: "none", grid: true, nice: true, ticks: 6 },
      marks: [...run_marks(view, x, y), tip(view, x, y, (p) => `${where(view, p)}\ng: ${format_number(p.g, 8)}`)] }, name);
  }
  const y_axis = log_axis(gaps, view.lower.floor, view.asked_lower, label);
  if (!y_axis) return "No values of g were recorded.";
  // Nothing is known below the floor: what lies there, or is not positive, is drawn on the lower edge.
  const y = (p: Point): number => (Number.isFinite(p.gap) ? Math.max(p.gap, y_axis.low) : NaN);
  const proved = (p: Point): number => (Number.isFinite(p.proved_gap) ? Math.max(p.proved_gap, y_axis.low) : NaN);
  const floor = view.lower.floor > y_axis.low ? [view.lower.floor] : [];
  const floor_key: Key = { kind: "error", words: view.lower.kind === "interval"
    ? `error bar of g*, ${format_number(view.lower.floor)}` : "below rounding" };
  return draw({ width: view.width, x: scale, y: { ...y_axis.scale, grid: true },
    marks: [
      Plot.rect(floor, { y1: y_axis.low, y2: (v: number) => v, fill: MUTED, fillOpacity: 0.14, className: "floor" }),
      asked_rule(view.asked_lower),
      ...(view.bounds ? bound_marks(view, x, proved) : []),
      ...run_marks(view, x, y),
      tip(view, x, y, (p) =>
        `${where(view, p)}\ng \u2212 g*: ${format_signed(p.gap)}${Number.isFinite(p.proved_gap) ? `\nproved: at most ${format_number(p.proved_gap)}` : ""}`),
    ] }, name,
    [...asked_key(view.asked_lower), ...(floor.length > 0 ? [floor_key] : []), ...(view.bounds ? [BOUND_KEY] : [])]);
}

const upper_label = (view: View, what: string): string =>
  view.upper.kind === "none" ? what : view.upper.kind === "bound" ? `${what} \u2212 f* (at most)` : `${what} \u2212 f*`;

export function excess_chart(view: View): Drawing {
  const { scale, x } = horizontal(view);
  const label = upper_label(view, "f(x\u2096)");
  const name = `${label} with its sign against ${AXIS_LABELS[view.axis]}`;
  const y = (p: Point): number => p.excess;
  const values = all_points(view.lines).flatMap((p) => (view.bounds ? [p.excess, p.proved_excess] : [p.excess]));
  const show = (p: Point): string => view.upper.kind === "none" ? `${where(view, p)}\nf: ${format_number(p.f, 8)}`
    : `${where(view, p)}\nf \u2212 f*: ${format_signed(p.excess)}${Number.isFinite(p.proved_excess) ? `\nbound told: at most ${format_signed(p.proved_excess)}` : ""}`;
  const points_tip = tip(view, x, y, show);
  if (view.upper.kind === "none") {
    if (!values.some(Number.isFinite)) return "No values of f were recorded.";
    return draw({ width: view.width, x: scale, y: { label, labelArrow: "none", grid: true, nice: true, ticks: 6 },
      marks: [...run_marks(view, x, y), points_tip] }, name);
  }
  const y_axis = signed_axis(values, ends(view.lines), view.upper.floor, view.asked_upper, label);
  if (!y_axis) return "No values of f were recorded.";
  return draw({ width: view.width, x: scale, y: { ...y_axis.scale, grid: true },
    marks: [
      ...signed_marks(view.upper, y_axis.low, y_axis.constant, true),
      asked_rule(view.asked_upper),
      ...(view.bounds ? bound_marks(view, x, (p) => p.proved_excess) : []),
      ...run_marks(view, x, y),
      points_tip,
    ] }, name,
    [...asked_key(view.asked_upper), ...signed_keys(view.upper, y_axis.low, y_axis.constant, true), ...(view.bounds ? [BOUND_KEY] : [])]);
}

/** A bracket that was kept along the way, not only at the end. */
export const has_bracket = (line: Line): boolean =>
  new Set(line.points.filter((p) => Number.isFinite(p.low) && Number.isFinite(p.high)).map((p) => p.x)).size > 1;

export function bracket_chart(view: View): Drawing {
  const lines = view.lines.filter(has_bracket);
  if (lines.length === 0) return "None of the visible runs keeps a bracket of f*.";
  const shown = { ...view, lines };
  const { scale, x } = horizontal(view, lines);
  const label = upper_label(view, "bracket");
  const values = all_points(lines).flatMap((p) => [p.low, p.high]);
  const raw = view.upper.kind === "none";
  const y_axis = raw ? null : signed_axis(values, ends(lines), view.upper.floor, view.asked_upper, label);
  return draw({ width: view.width, x: scale,
    y: y_axis ? { ...y_axis.scale, grid: true } : { label, labelArrow: "none", grid: true, nice: true, ticks: 6 },
    marks: [
      ...(y_axis ? signed_marks(view.upper, y_axis.low, y_axis.constant, false) : []),
      ...(lines.length > MOST_AREAS ? [] : lines).map((line) => Plot.areaY(line.points, { x, y1: (p: Point) => p.low, y2: (p: Point) => p.high,
        fill: look_of(line.index).colour, fillOpacity: 0.13, curve: "step-after", className: "bracket-area", ...of_run(line) })),
      ...lines.flatMap((line) => (["low", "high"] as const).map((end) => Plot.line(line.points, { x,
        y: (p: Point) => p[end], stroke: look_of(line.index).colour, strokeWidth: 1.6, curve: "step-after",
        strokeDasharray: end === "low" ? look_of(line.index).dash || "none" : "4 2", className: `bracket-${end}`, ...of_run(line) }))),
      tip(shown, x, (p) => p.low, (p) =>
        `${where(view, p)}\nlow: ${format_signed(p.low)}\nhigh: ${format_signed(p.high)}`),
    ] }, `${label} against ${AXIS_LABELS[view.axis]}`, y_axis ? signed_keys(view.upper, y_axis.low, y_axis.constant, false) : []);
}
