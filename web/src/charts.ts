// The three charts over work: lower gap, signed upper excess, bracket.  Each returns an SVG, or a sentence that says
// why there is nothing to draw.
import * as Plot from "@observablehq/plot";
import { log_axis, signed_axis, work_axis } from "./axes";
import { format_number, format_signed } from "./numbers";
import { look_of } from "./palette";
import type { Reference } from "./reference";
import { AXIS_LABELS, type Axis, type Line, type Point } from "./series";

export interface View {
  lines: Line[];  // the visible ones
  axis: Axis;
  logarithmic: boolean;
  bounds: boolean;  // also draw what was proved along the way
  width: number;
  upper: Reference;
  lower: Reference;
  asked_upper: number;
  asked_lower: number;
}

export type Drawing = SVGSVGElement | string;

export const MUTED = "var(--muted)";
const HEIGHT = 330;
// More areas than this on top of each other say nothing.
const MOST_AREAS = 6;

export function draw(options: Plot.PlotOptions, name: string): SVGSVGElement {
  const made = Plot.plot({ height: HEIGHT, marginLeft: 62, marginRight: 22, marginTop: 30, marginBottom: 42,
    ariaLabel: name, ...options, style: { background: "transparent", fontSize: "12px", ...(options.style as object) } });
  made.setAttribute("role", "img");
  return made as SVGSVGElement;
}

export function all_points(lines: Line[]): Point[] {
  return lines.flatMap((line) => line.points);
}

/** f - f* of the returned points. */
export function ends(lines: Line[]): number[] {
  return all_points(lines).filter((p) => p.returned && Number.isFinite(p.excess)).map((p) => p.excess);
}

interface Curve { points: (line: Line) => Point[]; y: (point: Point) => number }

/** The first run is drawn last, on top. */
export const from_behind = (lines: Line[]): Line[] => [...lines].reverse();

/** The lines of the runs with a marker at the returned point. */
function run_marks(view: View, x: (p: Point) => number, y: (p: Point) => number): Plot.Markish[] {
  return from_behind(view.lines).flatMap((line) => {
    const look = look_of(line.index);
    return [
      Plot.line(line.points, { x, y, stroke: look.colour, strokeWidth: view.lines.length > 10 ? 1.3 : 1.8,
        strokeDasharray: look.dash || "none", strokeLinejoin: "round", className: "run-line", ariaDescription: `run-${line.index}` }),
      Plot.dot(line.points.filter((p) => p.returned && Number.isFinite(y(p))), { x, y, fill: look.colour,
        symbol: look.marker, r: 4, className: "run-end" }),
    ];
  });
}

/** What was proved along the way, thin and dotted. */
function bound_marks(view: View, x: (p: Point) => number, y: (p: Point) => number): Plot.Markish[] {
  return view.lines.map((line) => Plot.line(line.points, { x, y, stroke: look_of(line.index).colour,
    strokeWidth: 1.4, strokeOpacity: 0.75, strokeDasharray: "1 3", strokeLinecap: "round", curve: "step-after",
    className: "bound-line" }));
}

function tip(view: View, x: (p: Point) => number, curve: Curve, title: (p: Point) => string): Plot.Markish {
  const points = view.lines.flatMap(curve.points).filter((p) => Number.isFinite(curve.y(p)));
  return Plot.tip(points, Plot.pointer({ x, y: curve.y, title, fill: "var(--card)", stroke: "var(--line)", textPadding: 8 }));
}

const where = (view: View, p: Point): string => `${p.name}\n${view.axis}: ${format_number(p.x, 6)}`;

/** A horizontal line for an accuracy that was asked for, and its name, which goes over the lines of the runs. */
function asked_rule(level: number): Plot.Markish {
  return Plot.ruleY(level > 0 ? [level] : [], { stroke: "var(--good)", strokeDasharray: "5 4", strokeWidth: 1.2 });
}
function asked_name(level: number): Plot.Markish {
  return Plot.text(level > 0 ? [level] : [], { y: (v: number) => v, text: () => `asked ${format_number(level)}`,
    frameAnchor: "right", textAnchor: "end", dy: -8, fill: "var(--good)", stroke: "var(--card)", strokeWidth: 4 });
}

export function gap_chart(view: View): Drawing {
  const x_axis = work_axis(all_points(view.lines).map((p) => p.x), view.axis, view.logarithmic, view.width);
  const x = (p: Point): number => x_axis.clamp(p.x);
  const raw = view.lower.kind === "none";
  const gaps = all_points(view.lines).flatMap((p) => (view.bounds ? [p.gap, p.proved_gap] : [p.gap]));
  const label = raw ? "g(x\u2096)" : view.lower.kind === "exact" ? "g(x\u2096) \u2212 g*" : "g(x\u2096) \u2212 g* (at most)";
  if (raw) {
    const y = (p: Point): number => p.g;
    if (!gaps.some(Number.isFinite)) return "No values of g were recorded.";
    return draw({ width: view.width, x: x_axis.scale, y: { label, labelArrow: "none", grid: true, nice: true, ticks: 6 },
      marks: [...run_marks(view, x, y), tip(view, x, { points: (l) => l.points, y }, (p) => `${where(view, p)}\ng: ${format_number(p.g, 8)}`)] },
      `${label} against ${AXIS_LABELS[view.axis]}`);
  }
  const y_axis = log_axis(gaps, view.lower.floor, view.asked_lower, label);
  if (!y_axis) return "No values of g were recorded.";
  // Nothing is known below the floor: what lies there, or is not positive, is drawn on the lower edge.
  const y = (p: Point): number => (Number.isFinite(p.gap) ? Math.max(p.gap, y_axis.low) : NaN);
  const proved = (p: Point): number => (Number.isFinite(p.proved_gap) ? Math.max(p.proved_gap, y_axis.low) : NaN);
  const floor = view.lower.floor > y_axis.low ? [view.lower.floor] : [];
  return draw({ width: view.width, x: x_axis.scale, y: { ...y_axis.scale, grid: true },
    marks: [
      Plot.rect(floor, { y1: y_axis.low, y2: (v: number) => v, fill: MUTED, fillOpacity: 0.14, className: "floor" }),
      Plot.text(floor, { y: (v: number) => v, frameAnchor: "left", dx: 6, dy: 9, fill: MUTED,
        text: () => view.lower.kind === "interval" ? "below the error bar of g*" : "below rounding" }),
      asked_rule(view.asked_lower),
      ...(view.bounds ? bound_marks(view, x, proved) : []),
      ...run_marks(view, x, y),
      asked_name(view.asked_lower),
      tip(view, x, { points: (l) => l.points, y }, (p) =>
        `${where(view, p)}\ng \u2212 g*: ${format_signed(p.gap)}${Number.isFinite(p.proved_gap) ? `\nproved: at most ${format_number(p.proved_gap)}` : ""}`),
    ] }, `${label} against ${AXIS_LABELS[view.axis]}`);
}

/** Shading and words shared by the charts whose vertical axis is f - f* with its sign.  `points`: points are drawn,
 *  and those below f* are explained. */
export function signed_marks(upper: Reference, low: number, constant: number, points: boolean): Plot.Markish[] {
  const below = points && low < -2 * constant && upper.kind !== "bound";
  return [
    Plot.rect(below ? [0] : [], { y1: low, y2: 0, fill: "var(--below)", fillOpacity: 0.5, className: "below" }),
    Plot.text(below ? [low] : [], { y: (v: number) => v, frameAnchor: "left", dx: 6, dy: -9, fill: MUTED,
      text: () => "below f*: slack in g buys upper value" }),
    Plot.rect(upper.kind === "interval" ? [0] : [], { y1: -upper.floor, y2: upper.floor, fill: MUTED, fillOpacity: 0.18, className: "floor" }),
    Plot.ruleY([0], { stroke: "var(--ink)", strokeWidth: 1 }),
  ];
}

const upper_label = (view: View, what: string): string =>
  view.upper.kind === "none" ? what : view.upper.kind === "bound" ? `${what} \u2212 f* (at most)` : `${what} \u2212 f*`;

export function excess_chart(view: View): Drawing {
  const x_axis = work_axis(all_points(view.lines).map((p) => p.x), view.axis, view.logarithmic, view.width);
  const x = (p: Point): number => x_axis.clamp(p.x);
  const label = upper_label(view, "f(x\u2096)");
  const name = `${label} with its sign against ${AXIS_LABELS[view.axis]}`;
  const y = (p: Point): number => p.excess;
  const values = all_points(view.lines).flatMap((p) => (view.bounds ? [p.excess, p.proved_excess] : [p.excess]));
  const show = (p: Point): string => view.upper.kind === "none" ? `${where(view, p)}\nf: ${format_number(p.f, 8)}`
    : `${where(view, p)}\nf \u2212 f*: ${format_signed(p.excess)}${Number.isFinite(p.proved_excess) ? `\nbound told: at most ${format_signed(p.proved_excess)}` : ""}`;
  const points_tip = tip(view, x, { points: (l) => l.points, y }, show);
  if (view.upper.kind === "none") {
    if (!values.some(Number.isFinite)) return "No values of f were recorded.";
    return draw({ width: view.width, x: x_axis.scale, y: { label, labelArrow: "none", grid: true, nice: true, ticks: 6 },
      marks: [...run_marks(view, x, y), points_tip] }, name);
  }
  const y_axis = signed_axis(values, ends(view.lines), view.upper.floor, view.asked_upper, label);
  if (!y_axis) return "No values of f were recorded.";
  return draw({ width: view.width, x: x_axis.scale, y: { ...y_axis.scale, grid: true },
    marks: [
      ...signed_marks(view.upper, y_axis.low, y_axis.constant, true),
      asked_rule(view.asked_upper),
      ...(view.bounds ? bound_marks(view, x, (p) => p.proved_excess) : []),
      ...run_marks(view, x, y),
      asked_name(view.asked_upper),
      points_tip,
    ] }, name);
}

/** A bracket that was kept along the way, not only at the end. */
export const has_bracket = (line: Line): boolean =>
  new Set(line.points.filter((p) => Number.isFinite(p.low) && Number.isFinite(p.high)).map((p) => p.x)).size > 1;

export function bracket_chart(view: View): Drawing {
  const lines = view.lines.filter(has_bracket);
  if (lines.length === 0) return "None of the visible runs keeps a bracket of f*.";
  const shown = { ...view, lines };
  const x_axis = work_axis(all_points(lines).map((p) => p.x), view.axis, view.logarithmic, view.width);
  const x = (p: Point): number => x_axis.clamp(p.x);
  const label = upper_label(view, "bracket");
  const values = all_points(lines).flatMap((p) => [p.low, p.high]);
  const raw = view.upper.kind === "none";
  const y_axis = raw ? null : signed_axis(values, ends(lines), view.upper.floor, view.asked_upper, label);
  return draw({ width: view.width, x: x_axis.scale,
    y: y_axis ? { ...y_axis.scale, grid: true } : { label, labelArrow: "none", grid: true, nice: true, ticks: 6 },
    marks: [
      ...(y_axis ? signed_marks(view.upper, y_axis.low, y_axis.constant, false) : []),
      ...(lines.length > MOST_AREAS ? [] : lines).map((line) => Plot.areaY(line.points, { x, y1: (p: Point) => p.low, y2: (p: Point) => p.high,
        fill: look_of(line.index).colour, fillOpacity: 0.13, curve: "step-after", className: "bracket-area" })),
      ...lines.flatMap((line) => (["low", "high"] as const).map((end) => Plot.line(line.points, { x,
        y: (p: Point) => p[end], stroke: look_of(line.index).colour, strokeWidth: 1.6, curve: "step-after",
        strokeDasharray: end === "low" ? look_of(line.index).dash || "none" : "4 2", className: `bracket-${end}` }))),
      tip(shown, x, { points: (l) => l.points, y: (p) => p.low }, (p) =>
        `${where(view, p)}\nlow: ${format_signed(p.low)}\nhigh: ${format_signed(p.high)}`),
    ] }, `${label} against ${AXIS_LABELS[view.axis]}`);
}
