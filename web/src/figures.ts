// The four charts with their captions, controls and files.
import { bracket_chart, excess_chart, gap_chart, has_bracket, type Drawing, type View } from "./charts";
import { choice, element } from "./dom";
import { save_png, save_svg } from "./export";
import { legend } from "./legend";
import { format_number } from "./numbers";
import type { Reference } from "./reference";
import type { Report } from "./report";
import { AXES, line_of, wants_logarithm, type Axis } from "./series";
import { has_cuts, tradeoff_chart, type Zoom } from "./tradeoff";

interface Figure {
  id: string;
  title: string;
  caption: string;
  draw: (view: View) => Drawing;
  controls?: HTMLElement;
}

function gap_caption(lower: Reference): string {
  if (lower.kind === "none") return "Nothing is proved about g*, so the values of g themselves are shown.";
  if (lower.kind === "interval")
    return `How far g is above its least value, at most. Grey band: g* is known to ${format_number(lower.floor)}, and what lies there cannot be told from 0.`;
  if (lower.kind === "bound") return "How far g is above the best proved lower bound of g*: the true gap is at most this.";
  return "How far g is above its least value.";
}

function excess_caption(upper: Reference): string {
  if (upper.kind === "none") return "Nothing is proved about f*, so the values of f themselves are shown.";
  const axis = "Logarithmic on both sides of 0.";
  if (upper.kind === "bound") return `f minus the best proved lower bound of f*: the true difference is at most this. ${axis}`;
  const sign = "Signed: a point that is not quite optimal for g may lie below f*.";
  if (upper.kind === "interval") return `${sign} Grey band: the error bar of f*, \u00b1${format_number(upper.floor)}. ${axis}`;
  return `${sign} ${axis}`;
}

function figure_list(first: View, on_zoom: (zoom: Zoom) => void, zoom: () => Zoom): Figure[] {
  const list: Figure[] = [
    { id: "lower-gap", title: "Lower level: g(x) \u2212 g*", caption: gap_caption(first.lower), draw: gap_chart },
    { id: "upper-excess", title: "Upper level: f(x) \u2212 f*, signed", caption: excess_caption(first.upper), draw: excess_chart },
  ];
  if (first.lines.some(has_bracket))
    list.push({ id: "bracket", title: "The bracket of f* closes",
      caption: "Lower end: the best lower bound of f* so far. Upper end (dashed): f of the best point so far, or the level that was still possible; it may end below f*.",
      draw: bracket_chart });
  const cuts = has_cuts(first);
  list.push({ id: "trade-off", title: "Trade-off: f against g",
    caption: cuts
      ? "Paths of the runs; the large marks are the returned points. Each cut f \u2265 c \u2212 \u03bcg holds on all of Z, so nothing can lie in the grey region: that is the proof of optimality."
      : "Paths of the runs; the large marks are the returned points. No run proved a cut.",
    draw: (view) => tradeoff_chart(view, zoom()),
    controls: choice("view", [["run", "whole run"], ["answer", "near the answer"]] as const, "run", on_zoom) });
  return list;
}

export function figures(report: Report, upper: Reference, lower: Reference): HTMLElement {
  const hidden = new Set<number>();
  let axis: Axis = "passes";
  let logarithmic = wants_logarithm(report.runs, axis);
  let bounds = report.runs.length <= 2;
  let zoom: Zoom = "run";

  const view_at = (width: number, all = false): View => ({
    lines: report.runs.flatMap((run, index) => (all || !hidden.has(index) ? [line_of(run, index, axis, upper, lower)] : [])),
    axis, logarithmic, bounds, width, upper, lower,
    asked_upper: report.accuracy.upper ?? 0, asked_lower: report.accuracy.lower ?? 0,
  });

  const list = figure_list(view_at(600, true), (value) => { zoom = value; render(); }, () => zoom);
  const places = list.map(() => element("div", { class: "plot" }));
  const drawn: (SVGSVGElement | null)[] = list.map(() => null);
  const about = (figure: Figure) => ({ title: `${figure.title}`,
    names: report.runs.flatMap((run, index) => (hidden.has(index) ? [] : [{ name: run.name, index }])) });
  const save_buttons = list.map((figure, at) => {
    const button = (kind: "SVG" | "PNG"): HTMLButtonElement => element("button", { type: "button", class: "quiet", "data-save": kind,
      "aria-label": `save ${figure.title} as ${kind}`,
      onclick: () => {
        const chart = drawn[at];
        if (!chart) return;
        if (kind === "SVG") save_svg(chart, about(figure), `fcbio-${figure.id}`);
        else void save_png(chart, about(figure), `fcbio-${figure.id}`);
      } }, kind);
    return [button("SVG"), button("PNG")];
  });

  const render = (): void => {
    for (const [at, place] of places.entries()) {
      const width = Math.round(Math.max(280, Math.min(place.clientWidth || 600, 1100)));
      const view = view_at(width);
      const made: Drawing = report.runs.length === 0 ? "No run is recorded in this report."
        : view.lines.length === 0 ? "All runs are hidden; choose some in the legend." : list[at]!.draw(view);
      drawn[at] = typeof made === "string" ? null : made;
      place.replaceChildren(typeof made === "string" ? element("p", { class: "empty" }, made) : made);
      for (const button of save_buttons[at]!) button.disabled = typeof made === "string";
    }
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

  const grid = element("div", { class: "figures" }, ...list.map((figure, at) =>
    element("figure", { class: "card", id: figure.id },
      element("div", { class: "figure-head" }, element("h3", {}, figure.title),
        element("div", { class: "figure-tools" }, figure.controls ?? null, ...save_buttons[at]!)),
      places[at], element("figcaption", {}, figure.caption))));

  // Drawn once the width is known, and again whenever it changes.
  let last = 0;
  new ResizeObserver(() => {
    const width = places[0]?.clientWidth ?? 0;
    if (Math.abs(width - last) < 2 || matchMedia("print").matches) return;
    last = width;
    render();
  }).observe(grid);

  return element("section", { "aria-label": "charts" },
    element("div", { class: report.runs.length <= 10 ? "toolbar sticky" : "toolbar" }, controls, legend(report, hidden, render)), grid);
}
