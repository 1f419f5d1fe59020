// The charts with their captions and controls.
import { bracket_chart, distance_chart, excess_chart, gap_chart, has_bracket, has_distance } from "./charts";
import { choice, element } from "./dom";
import { figure_card, on_resize, type FigureWords } from "./figure";
import { highlight } from "./highlight";
import { legend } from "./legend";
import type { Drawing, View } from "./marks";
import { format_number } from "./numbers";
import type { Reference } from "./reference";
import type { Report } from "./report";
import { AXES, line_of, wants_logarithm, type Axis, type Line, type Point } from "./series";
import { has_cuts, sensitivity_words, tradeoff_chart, type Zoom } from "./tradeoff";

interface Figure extends FigureWords { draw: (view: View) => Drawing }

/** Why g of a run rises again at its end, where it does. */
function rise_words(line: Line | undefined, asked: number, floor: number): string {
  const known = (line?.points ?? []).filter((p) => Number.isFinite(p.gap));
  const last = known[known.length - 1];
  if (!line || !last?.returned || !(last.gap <= asked)) return "";
  const least = Math.max(floor, known.reduce((low, p) => Math.min(low, p.gap), Infinity), 0);
  if (!(last.gap > 10 * least)) return "";
  return ` Why g of ${line.run.name} rises again${least > 0 ? `, from ${format_number(least, 2)}` : ""} to ${format_number(last.gap, 2)}: ` +
    `on purpose. It first finds how low g can be; then it spends the ${format_number(asked)} that may be missing in g on a lower f.`;
}

function gap_caption(lower: Reference): string {
  if (lower.kind === "none") return "Nothing is proved about g*, so the values of g themselves are shown.";
  if (lower.kind === "interval")
    return `How far g is above its least value, at most: g* is known to ${format_number(lower.floor)}, and what lies below that cannot be told from 0.`;
  if (lower.kind === "bound") return "How far g is above the best proved lower bound of g*: the true gap is at most this.";
  return "How far g is above its least value.";
}

function excess_caption(upper: Reference): string {
  if (upper.kind === "none") return "Nothing is proved about f*, so the values of f themselves are shown.";
  const axis = "Logarithmic on both sides of 0.";
  if (upper.kind === "bound") return `f minus the best proved lower bound of f*: the true difference is at most this. ${axis}`;
  return `Signed: a point that is not quite optimal for g may lie below f*. ${axis}`;
}

/** `race`: the runs try to reach an accuracy; where a theorem is tried instead, only the two levels matter. */
function figure_list(first: View, race: boolean, on_zoom: (zoom: Zoom) => void, zoom: () => Zoom): Figure[] {
  const list: Figure[] = [
    { id: "lower-gap", title: "Lower level: g(x) \u2212 g*",
      caption: gap_caption(first.lower) + rise_words(first.lines[0], first.asked_lower, first.lower.floor), draw: gap_chart },
    { id: "upper-excess", title: "Upper level: f(x) \u2212 f*, signed", caption: excess_caption(first.upper), draw: excess_chart },
  ];
  if (!race) return list.reverse();
  if (first.lines.length > 1 && first.lines.some(has_distance))
    list.unshift({ id: "distance", title: "Both levels: how many times what was asked for",
      caption: "The larger of (f \u2212 f*)/eps_f and (g \u2212 g*)/eps_g, at most. A point at 1 or below has what was asked for. A line may rise again to 1: what may be missing in g is spent on a lower f.",
      draw: distance_chart });
  if (first.lines.some(has_bracket))
    list.push({ id: "bracket", title: "The bracket of f* closes",
      caption: "Lower end: the best lower bound of f* so far. Upper end (dashed): f of the best point so far, or the level that was still possible; it may end below f*.",
      draw: bracket_chart });
  list.push({ id: "trade-off", title: "Trade-off: f against g",
    caption: has_cuts(first)
      ? `Paths of the runs; the large marks are the returned points. Each cut f \u2265 c \u2212 \u03bcg holds on all of Z, so nothing can lie in the grey region: that is the proof of optimality.${sensitivity_words(first)}`
      : "Paths of the runs; the large marks are the returned points. No run proved a cut.",
    draw: (view) => tradeoff_chart(view, zoom()),
    controls: choice("view", [["run", "whole run"], ["answer", "near the answer"]] as const, zoom(), on_zoom) });
  return list;
}

/** Pointing at a line makes it stand out everywhere. */
function watch_pointer(svg: SVGSVGElement): void {
  svg.addEventListener("input", () => highlight((svg as SVGSVGElement & { value?: Point | null }).value?.index ?? -1));
}

export function figures(report: Report, upper: Reference, lower: Reference): HTMLElement {
  const hidden = new Set<number>();
  let axis: Axis = "passes";
  let logarithmic = wants_logarithm(report.runs, axis);
  let bounds = report.runs.length <= 2;
  // Of one or two runs with a proof, the proof is the point.
  let zoom: Zoom = report.runs.length <= 2 && report.runs.some((run) => run.cuts.some((cut) => (cut.multiplier ?? 0) > 0)) ? "answer" : "run";

  const view_at = (width: number, all = false): View => ({
    lines: report.runs.flatMap((run, index) => (all || !hidden.has(index) ? [line_of(run, index, axis, upper, lower)] : [])),
    axis, logarithmic, bounds, width, upper, lower,
    asked_upper: report.accuracy.upper ?? 0, asked_lower: report.accuracy.lower ?? 0,
  });

  const list = figure_list(view_at(600, true), !report.finding, (value) => { zoom = value; render(); }, () => zoom);
  const names = () => report.runs.flatMap((run, index) => (hidden.has(index) ? [] : [{ name: run.name, index }]));
  const cards = list.map((figure) => figure_card(figure, names));

  const render_one = (at: number, view: View): void => {
    const card = cards[at]!;
    const made: Drawing = report.runs.length === 0 ? "No run is recorded in this report."
      : view.lines.length === 0 ? "All runs are hidden; choose some in the legend." : list[at]!.draw({ ...view, width: card.width() });
    if (typeof made !== "string" && report.runs.length > 1) watch_pointer(made.svg);
    card.show(made);
  };
  const render = (): void => {
    const view = view_at(600);
    for (const at of cards.keys()) render_one(at, view);
  };
  // At first one after the other, so that what stands above them is seen at once.
  const render_slowly = (at = 0): void => {
    if (at >= cards.length) return;
    render_one(at, view_at(600));
    setTimeout(() => render_slowly(at + 1));
  };

  const scale = element("div", {});
  const scale_choice = (): HTMLElement => choice("scale", [["linear", "linear"], ["log", "log"]] as const, logarithmic ? "log" : "linear",
    (value) => { logarithmic = value === "log"; render(); });
  scale.append(scale_choice());
  const controls = element("div", { class: "controls" },
    choice("against", AXES, axis, (value) => {
      axis = value;
      logarithmic = wants_logarithm(report.runs, axis);
      scale.replaceChildren(scale_choice());
      render();
    }),
    scale,
    element("button", { type: "button", class: "toggle", "data-role": "bounds", "aria-pressed": String(bounds),
      title: "also draw, dotted, the bounds each run told along the way",
      onclick: (event) => {
        bounds = !bounds;
        (event.currentTarget as Element).setAttribute("aria-pressed", String(bounds));
        render();
      } }, "running bounds"));

  const grid = element("div", { class: "figures" }, ...cards.map((card) => card.element));
  let begun = false;
  on_resize(grid, () => {
    if (begun) return render();
    begun = true;
    requestAnimationFrame(() => setTimeout(render_slowly));
  });
  return element("section", { "aria-label": "charts" },
    element("div", { class: report.runs.length <= 10 ? "toolbar sticky" : "toolbar" }, controls, legend(report, hidden, render)), grid);
}
