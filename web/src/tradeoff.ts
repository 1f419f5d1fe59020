// The trade-off: f against g.  A cut says  f >= value - multiplier * g  on all of Z, so no point can lie below the
// highest of the cuts: that region is shaded.
import * as Plot from "@observablehq/plot";
import { log_axis, signed_axis } from "./axes";
import type { Key } from "./keys";
import { all_points, draw, ends, run_marks, signed_keys, signed_marks, tip, type Drawing, type View } from "./marks";
import { format_number, format_signed } from "./numbers";
import { extent, type Point } from "./series";

export type Zoom = "run" | "answer";

/** The highest cut at g = g* + gap, minus f*; -infinity: none. */
function proved_floor(view: View, gap: number): number {
  let best = -Infinity;
  for (const { run } of view.lines)
    for (const { multiplier, value } of run.cuts)
      if (multiplier != null && value != null)
        best = Math.max(best, value - multiplier * view.lower.value - view.upper.value - multiplier * gap);
  return best;
}

const title = (p: Point): string =>
  `${p.name}${p.returned ? " (returned)" : ""}\ng \u2212 g*: ${format_signed(p.gap)}\nf \u2212 f*: ${format_signed(p.excess)}`;

export function has_cuts(view: View): boolean {
  return view.lines.some(({ run }) => run.cuts.some((cut) => cut.value != null && cut.multiplier != null));
}

export function tradeoff_chart(view: View, zoom: Zoom): Drawing {
  if (view.lower.kind === "none" || view.upper.kind === "none")
    return "Nothing is proved about f* or g*, so there is no trade-off to show.";
  const points = all_points(view.lines).filter((p) => Number.isFinite(p.gap) && Number.isFinite(p.excess));
  if (points.length === 0) return "No values of f and g were recorded.";
  return zoom === "run" ? whole_run(view, points) : near_answer(view, points);
}

function labels(view: View): { x: string; y: string } {
  return {
    x: view.lower.kind === "exact" ? "g(x) \u2212 g*" : "g(x) \u2212 g* (at most)",
    y: view.upper.kind === "bound" ? "f(x) \u2212 f* (at most)" : "f(x) \u2212 f*",
  };
}

/** The cut that says most about f*: its slope is what slack in g is worth.  Null: no run proved one. */
function steepest_known(view: View): number | null {
  let best = -Infinity, multiplier: number | null = null;
  for (const { run } of view.lines)
    for (const cut of run.cuts) {
      if (!cut.multiplier || cut.value == null) continue;
      const at_optimum = cut.value - cut.multiplier * view.lower.value;
      if (at_optimum > best) [best, multiplier] = [at_optimum, cut.multiplier];
    }
  return multiplier;
}

/** What slack in g is worth in f, in a sentence. */
export function sensitivity_words(view: View): string {
  const multiplier = steepest_known(view);
  if (multiplier == null || !(view.asked_lower > 0)) return "";
  return ` Sensitivity: the solid line falls by \u03bc = ${format_number(multiplier, 3)} for every 1 of g, so the ${format_number(view.asked_lower)} ` +
    `that may be missing in g buys about ${format_number(multiplier * view.asked_lower, 3)} in f.`;
}

function marks(view: View, x: (p: Point) => number, y: (p: Point) => number, edge: [number, number][],
               low: number, box: [number, number, number, number]): Plot.Markish[] {
  const floor = edge.filter(([, f]) => Number.isFinite(f));
  const asked = view.asked_lower > 0 && view.asked_upper > 0 ? [box] : [];
  return [
    Plot.rect(asked, { x1: (b) => b[0], x2: (b) => b[1], y1: (b) => b[2], y2: (b) => b[3], fill: "var(--good)",
      fillOpacity: 0.1, stroke: "var(--good)", strokeDasharray: "5 4", className: "asked" }),
    Plot.areaY(floor, { x: (e) => e[0], y1: low, y2: (e) => Math.max(e[1], low), fill: "var(--impossible)", fillOpacity: 0.75, className: "impossible" }),
    Plot.line(floor, { x: (e) => e[0], y: (e) => (e[1] > low ? e[1] : NaN), stroke: "var(--ink)", strokeWidth: 1.6, className: "cut" }),
    ...run_marks(view, x, y),
    tip(view, x, y, title),
  ];
}

function keys(view: View, edge: [number, number][]): Key[] {
  const list: Key[] = [];
  if (view.asked_lower > 0 && view.asked_upper > 0) list.push({ kind: "asked", words: "asked for: inside this frame" });
  if (edge.some(([, f]) => Number.isFinite(f))) {
    const multiplier = steepest_known(view);
    list.push({ kind: "impossible", words: "proved impossible" });
    list.push({ kind: "cut", words: multiplier == null ? "least possible f" : `sensitivity line, slope \u2212${format_number(multiplier, 3)}` });
  }
  return list;
}

function whole_run(view: View, points: Point[]): Drawing {
  const names = labels(view);
  const x_axis = log_axis(points.map((p) => p.gap), view.lower.floor, view.asked_lower, names.x);
  const y_axis = signed_axis(points.map((p) => p.excess), ends(view.lines), view.upper.floor, view.asked_upper, names.y);
  if (!x_axis || !y_axis) return "No values of f and g were recorded.";
  const edge: [number, number][] = [];
  const steps = 160;
  for (let i = 0; i <= steps; ++i) {
    const gap = x_axis.low * (x_axis.high / x_axis.low) ** (i / steps);
    edge.push([gap, proved_floor(view, gap)]);
  }
  const x = (p: Point): number => Math.max(p.gap, x_axis.low);
  return draw({ width: view.width, x: { ...x_axis.scale, labelAnchor: "center" }, y: { ...y_axis.scale, grid: true },
    marks: [
      ...signed_marks(view.upper, y_axis.low, y_axis.constant, false),
      ...marks(view, x, (p) => p.excess, edge, y_axis.low, [x_axis.low, view.asked_lower, y_axis.low, view.asked_upper]),
    ] }, "f against g over the whole run, with the region that is proved impossible",
    [...keys(view, edge), ...signed_keys(view.upper, y_axis.low, y_axis.constant, false)]);
}

function near_answer(view: View, points: Point[]): Drawing {
  const names = labels(view);
  const asked = view.asked_lower > 0 ? view.asked_lower : 0;
  // The window: about twice the slack in g that was asked for, and as high as the proof is deep.
  const returned = points.filter((p) => p.returned).sort((a, b) => a.gap - b.gap);
  const close = returned.filter((p) => p.gap <= 2 * asked);
  const near = close.length > 0 ? close : returned.slice(0, 1);
  const right = 1.35 * Math.max(asked, ...near.map((p) => p.gap), view.lower.floor) || 1;
  const floors = [proved_floor(view, 0), proved_floor(view, right)].filter(Number.isFinite);
  const depth = Math.max(...floors.map(Math.abs), view.asked_upper, view.upper.floor);
  const best = near.reduce((least, p) => Math.min(least, Math.abs(p.excess)), Infinity);
  const inside = near.map((p) => p.excess).filter((excess) => Math.abs(excess) <= Math.max(depth, best));
  const span = extent([...inside, ...floors, 0, view.asked_upper]) ?? [0, 1];
  const pad = 0.12 * (span[1] - span[0]) || 1;
  const low = span[0] - pad, high = span[1] + pad;
  const edge: [number, number][] = [];
  for (let i = 0; i <= 40; ++i) edge.push([(right * i) / 40, proved_floor(view, (right * i) / 40)]);
  const clip = { ...view, lines: view.lines.map((line) => ({ ...line,
    points: line.points.filter((p) => p.gap <= right && p.excess >= low && p.excess <= high) })) };
  const x = (p: Point): number => Math.max(p.gap, 0);
  const format = (value: number): string => format_number(value, 3);
  return draw({ width: view.width, marginLeft: 74,
    x: { type: "linear", domain: [0, right], label: names.x, labelAnchor: "center", labelArrow: "none", ticks: view.width < 420 ? 3 : 5, tickFormat: format },
    y: { type: "linear", domain: [low, high], label: names.y, labelArrow: "none", ticks: 6, tickFormat: format, grid: true },
    marks: [
      Plot.ruleY([0], { stroke: "var(--ink)", strokeWidth: 1 }),
      ...marks(clip, x, (p) => p.excess, edge, low, [0, asked, low, Math.min(view.asked_upper, high)]),
    ] }, "f against g near the returned points, with the region that is proved impossible", keys(view, edge));
}
