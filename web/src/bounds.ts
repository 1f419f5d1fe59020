// Work against a lower bound as the accuracy shrinks (`fcbio bounds`): a chart on logarithmic axes with the region that
// the theorem rules out, and a table per method.  Every point is another problem, so this page has no runs.
import * as Plot from "@observablehq/plot";
import { element, svg_element } from "./dom";
import { figure_card, on_resize } from "./figure";
import { draw, MUTED, TIP, type Drawing } from "./marks";
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
      Plot.areaY(longest, { x, y1: 1, y2: bound, fill: "var(--impossible)", fillOpacity: 0.9, className: "ruled-out" }),
      Plot.line(longest, { x, y: bound, stroke: MUTED, strokeWidth: 1.5, className: "lower-bound" }),
      ...all.map(({ line, look }) => Plot.line(reached(line), { x, y: (s: BoundSample) => s.judged, stroke: look.colour, strokeWidth: 1.8,
        strokeDasharray: look.dash || "none", className: "run-line" })),
      ...all.map(({ line, look }) => Plot.dot(reached(line), { x, y: (s: BoundSample) => s.judged, fill: look.colour, symbol: look.marker,
        r: 4, className: "run-end" })),
      Plot.tip(bounds.lines.flatMap((line) => reached(line).map((s) => ({ ...s, name: line.name }))), Plot.pointer({ x, y: (s: BoundSample) => s.judged,
        title: (s: BoundSample & { name: string }) => `${s.name}\neps ${format_number(s.accuracy, 3)}: ${format_count(s.judged)} gradients, bound ${format_count(s.bound)}`,
        ...TIP })),
    ] }, TITLE, [{ kind: "impossible", words: "no zero-respecting method can be here" }]);
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
  const rows = line.samples.map((sample) => element("tr", {}, ...COLUMNS.map(([name, show]) => element("td", { class: "number", "data-label": name }, show(sample)))));
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
  const card = figure_card({ id: "bounds", title: TITLE, caption: "Each line is a method, each point another problem." },
    () => bounds.lines.map((line, index) => ({ name: line.name, index })));
  on_resize(card.element, () => card.show(bounds_chart(bounds, card.width())));
  return [card.element, element("section", { class: "card", "aria-labelledby": "measured" }, element("h2", { id: "measured" }, "What was measured"),
    ...bounds.lines.flatMap((line, index) => bounds_table(line, index, bounds.expected_exponent)))];
}
