// Work against a lower bound as the accuracy shrinks (`fcbio bounds`): a chart on logarithmic axes with the region that
// the theorem rules out, and a table per method.  Every point is another problem, so this page has no runs.
import * as Plot from "@observablehq/plot";
import { draw, MUTED, type Drawing } from "./charts";
import { element, svg_element } from "./dom";
import { save_png, save_svg } from "./export";
import { format_count, format_number, format_power, powers, UNKNOWN } from "./numbers";
import { look_of, swatch } from "./palette";
import type { BoundLine, BoundSample, Bounds } from "./report";

const TITLE = "Gradients of the chain against the accuracy";

function bounds_chart(bounds: Bounds, width: number): Drawing {
  const samples = bounds.lines.flatMap((line) => line.samples);
  if (samples.length === 0) return "Nothing was measured.";
  const accuracies = samples.map((s) => s.accuracy), span = [Math.max(...accuracies), Math.min(...accuracies)] as const;
  const most = 10 ** Math.ceil(Math.log10(Math.max(...samples.flatMap((s) => [s.bound, s.judged, 10]))) + 0.05);
  const longest = bounds.lines.reduce((a, b) => (b.samples.length > a.samples.length ? b : a)).samples;
  const x = (s: BoundSample): number => s.accuracy, bound = (s: BoundSample): number => Math.max(1, s.bound);
  const reached = (line: BoundLine): BoundSample[] => line.samples.filter((s) => s.judged > 0);
  const all = bounds.lines.map((line, index) => ({ line, look: look_of(index) })).reverse();  // the first on top
  return draw({ width,
    // The accuracy shrinks to the right; a single one gets some room on both sides.
    x: { type: "log", domain: span[0] > span[1] ? span : [span[0] * 2, span[1] / 2], label: "accuracy, eps", labelAnchor: "center",
      labelArrow: "none", ticks: powers(span[1], span[0], 7), tickFormat: format_power },
    y: { type: "log", domain: [1, most], label: "gradients of the chain", labelArrow: "none", grid: true, ticks: powers(1, most, 7),
      tickFormat: format_power },
    marks: [
      Plot.areaY(longest, { x, y1: 1, y2: bound, fill: MUTED, fillOpacity: 0.18, className: "ruled-out" }),
      Plot.line(longest, { x, y: bound, stroke: MUTED, strokeWidth: 1.5, className: "lower-bound" }),
      Plot.text(longest.slice(-1), { x, y: 1, text: () => "no zero-respecting method can be here", textAnchor: "end", dx: -10, dy: -12, fill: MUTED }),
      ...all.map(({ line, look }) => Plot.line(reached(line), { x, y: (s: BoundSample) => s.judged, stroke: look.colour, strokeWidth: 1.8,
        strokeDasharray: look.dash || "none", className: "run-line" })),
      ...all.map(({ line, look }) => Plot.dot(reached(line), { x, y: (s: BoundSample) => s.judged, fill: look.colour, symbol: look.marker,
        r: 4, className: "run-end" })),
      Plot.tip(bounds.lines.flatMap((line) => reached(line).map((s) => ({ ...s, name: line.name }))), Plot.pointer({ x, y: (s: BoundSample) => s.judged,
        title: (s: BoundSample & { name: string }) => `${s.name}\neps ${format_number(s.accuracy, 3)}: ${format_count(s.judged)} gradients, bound ${format_count(s.bound)}`,
        fill: "var(--card)", stroke: "var(--line)", textPadding: 8 })),
    ] }, TITLE);
}

const COLUMNS: [string, (sample: BoundSample) => string][] = [
  ["accuracy", (s) => format_number(s.accuracy, 3)],
  ["bound", (s) => format_count(s.bound)],
  ["longest round", (s) => (s.longest_round == null ? UNKNOWN : format_count(s.longest_round))],
  ["rounds", (s) => (s.rounds == null ? UNKNOWN : format_count(s.rounds))],
  ["gradients in all", (s) => format_count(s.gradients)],
  ["first weak point", (s) => (s.first_weak == null ? UNKNOWN : format_count(s.first_weak))],
  ["ratio", (s) => (s.judged > 0 ? (s.judged / s.bound).toFixed(2) : UNKNOWN)],
];

function bounds_table(line: BoundLine, index: number, expected: number): HTMLElement[] {
  const look = svg_element("svg", { width: 30, height: 12, viewBox: "-1 -6 30 12", "aria-hidden": "true" }, swatch(look_of(index)));
  const rows = line.samples.map((sample) => element("tr", {}, ...COLUMNS.map(([, show]) => element("td", { class: "number" }, show(sample)))));
  return [
    element("h3", {}, look, ` ${line.name}`),
    element("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": `table of ${line.name}` },
      element("table", { class: "bounds" },
        element("thead", {}, element("tr", {}, ...COLUMNS.map(([name]) => element("th", { scope: "col", class: "number" }, name)))),
        element("tbody", {}, ...rows))),
    element("p", {}, line.exponent == null ? "No fit: fewer than two accuracies were reached."
      : `Fitted exponent ${line.exponent.toFixed(3)}; lower bound ${format_number(expected)}.`.replace(/-/g, "\u2212")),
  ];
}

export function bounds_sections(bounds: Bounds): HTMLElement[] {
  const place = element("div", { class: "plot" });
  let drawn: SVGSVGElement | null = null;
  const about = { title: TITLE, names: bounds.lines.map((line, index) => ({ name: line.name, index })) };
  const save = (kind: "SVG" | "PNG"): HTMLElement => element("button", { type: "button", class: "quiet", "data-save": kind,
    "aria-label": `save ${TITLE} as ${kind}`, onclick: () => {
      if (drawn && kind === "SVG") save_svg(drawn, about, "fcbio-bounds");
      else if (drawn) void save_png(drawn, about, "fcbio-bounds");
    } }, kind);
  const figure = element("figure", { class: "card", id: "bounds" },
    element("div", { class: "figure-head" }, element("h3", {}, TITLE), element("div", { class: "figure-tools" }, save("SVG"), save("PNG"))),
    place, element("figcaption", {}, "Grey: what the theorem rules out. Each line is a method, each point another problem."));
  let last = 0;
  new ResizeObserver(() => {
    const width = Math.round(Math.max(280, Math.min(place.clientWidth || 600, 1100)));
    if (Math.abs(width - last) < 2 || matchMedia("print").matches) return;
    last = width;
    const made = bounds_chart(bounds, width);
    drawn = typeof made === "string" ? null : made;
    place.replaceChildren(typeof made === "string" ? element("p", { class: "empty" }, made) : made);
  }).observe(place);
  return [figure, element("section", { class: "card", "aria-labelledby": "measured" }, element("h2", { id: "measured" }, "What was measured"),
    ...bounds.lines.flatMap((line, index) => bounds_table(line, index, bounds.expected_exponent)))];
}
