// The answer itself: the largest entries of x as bars, x as a curve or an image where the problem says its shape, and
// how well it classifies where the problem is about that.
import * as Plot from "@observablehq/plot";
import { element } from "./dom";
import { figure_card, on_resize } from "./figure";
import { draw, TIP, type Drawing } from "./marks";
import { format_count, format_number, format_signed } from "./numbers";
import type { Classifier, Report, Solution } from "./report";

type Entry = Solution["largest"][number];

const name_of = (entry: Entry): string => entry.name ?? `x[${entry.index}]`;

function bars(solution: Solution): HTMLElement {
  const size = Math.max(...solution.largest.map(({ value }) => Math.abs(value ?? 0)));
  // From the middle to either side; from the left where there is but one.
  const signed = solution.largest.some(({ value }) => (value ?? 0) < 0);
  const row = (entry: Entry): HTMLElement => {
    const value = entry.value ?? 0;
    const bar = element("span", { class: value < 0 ? "bar negative" : "bar" });
    bar.style.width = `${size > 0 ? ((signed ? 50 : 100) * Math.abs(value)) / size : 0}%`;
    return element("li", {}, element("span", { class: "who", title: name_of(entry) }, name_of(entry)),
      element("span", { class: "track", "aria-hidden": "true" }, bar), element("span", { class: "much" }, format_signed(entry.value, 5)));
  };
  return element("ol", { class: signed ? "entries signed" : "entries" }, ...solution.largest.map(row));
}

function curve(solution: Solution, width: number): Drawing {
  const points = solution.values.map((value, index) => ({ value: value ?? NaN, index }));
  return draw({ width, height: 240, x: { label: "entry of x", labelAnchor: "center", labelArrow: "none" }, y: { label: "value", labelArrow: "none", grid: true },
    marks: [Plot.ruleY([0], { stroke: "var(--ink)" }),
      Plot.line(points, { x: "index", y: "value", stroke: "var(--run-0)", strokeWidth: 2, className: "x-curve" }),
      Plot.tip(points, Plot.pointerX({ x: "index", y: "value", title: (p: { value: number; index: number }) => `x[${p.index}]: ${format_signed(p.value, 6)}`, ...TIP })),
    ] }, "x as a curve");
}

function image(solution: Solution, rows: number, columns: number, width: number): Drawing {
  const values = solution.values.map((value) => value ?? NaN);
  const known = values.filter(Number.isFinite);
  const low = known.reduce((a, b) => Math.min(a, b), Infinity), high = known.reduce((a, b) => Math.max(a, b), -Infinity);
  const side = Math.min(width, 420);
  return draw({ width: side, height: Math.max(60, Math.min(600, Math.round((side * rows) / columns))), margin: 0, axis: null,
    marginLeft: 0, marginRight: 0, marginTop: 0, marginBottom: 0,
    // Row 0 on top.
    y: { reverse: true }, color: { type: "linear", scheme: "greys", reverse: true, domain: low < high ? [low, high] : [low - 1, low + 1] },
    marks: [Plot.raster(values, { width: columns, height: rows, imageRendering: "pixelated" })] },
    `x as an image of ${rows} by ${columns}, from ${format_number(low)} (black) to ${format_number(high)} (white)`);
}

const percent = (share: number): string => `${format_number(100 * share, 3)} %`;

function classifier_words({ level, name, rows, positives, accuracy, auc }: Classifier): string {
  const guess = Math.max(positives, rows - positives) / rows;
  return `On the ${format_count(rows)} rows of ${level === "upper" ? "f" : "g"} (${name}): ${percent(accuracy)} classified right` +
    ` (the larger class alone: ${percent(guess)})${auc == null ? "" : `, AUC ${format_number(auc, 4)}`}.`;
}

export function solution_section(report: Report): HTMLElement | null {
  const { solution } = report;
  if (!solution || solution.largest.length === 0) return null;
  const whose = report.runs.length > 1 ? ` of ${report.runs[0]?.name ?? ""}` : "";
  const zeros = solution.dimension - solution.nonzero;
  const count = `${format_count(solution.dimension)} ${solution.dimension === 1 ? "entry" : "entries"}, ` +
    (zeros === 0 ? "none of them zero" : `${format_count(solution.nonzero)} not zero`);
  const shown = solution.largest.length;
  const nameless = solution.largest.every(({ name }) => name == null);
  const box = element("section", { class: "card solution", "aria-labelledby": "solution" },
    element("h2", { id: "solution" }, `The answer x${whose}`, element("small", {}, ` ${count}`)),
    ...report.classifiers.map((classifier) => element("p", { class: "classifier" }, classifier_words(classifier))));
  const parts = element("div", { class: "parts" },
    element("div", {}, element("h3", {}, shown < solution.dimension ? `The ${shown} largest entries` : "All entries, by size",
      nameless ? element("small", {}, " x[0] is the first entry") : null), bars(solution)));
  box.append(parts);
  const [rows, columns] = solution.shape;
  if (rows != null && solution.values.length > 0) {
    const card = figure_card({ id: "shape", title: columns == null ? "x as a curve" : "x as an image",
      caption: columns == null ? "All entries of x, in order." : "Row by row; black is the least entry, white the largest." }, () => []);
    on_resize(card.element, () => card.show(columns == null ? curve(solution, card.width()) : image(solution, rows, columns, card.width())));
    parts.append(card.element);
  }
  return box;
}
