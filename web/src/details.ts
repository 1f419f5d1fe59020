// What was asked and with which options; who was left out and why.
import { element } from "./dom";
import { format_number } from "./numbers";
import type { Pair, Report, Run } from "./report";

function pairs(list: Pair[]): HTMLElement {
  return element("dl", { class: "pairs" },
    ...list.flatMap(([name, text]) => [element("dt", {}, name), element("dd", {}, text)]));
}

function run_options(run: Run, open: boolean): HTMLElement {
  const list: Pair[] = [["method", run.engine ? `${run.method} (${run.engine})` : run.method]];
  if (run.message) list.push(["message", run.message]);
  if (run.multiplier) list.push(["multiplier of the proof", format_number(run.multiplier, 6)]);
  list.push(...run.options);
  return element("details", { open }, element("summary", {}, run.name), pairs(list));
}

export function left_out(report: Report): HTMLElement[] {
  if (report.left_out.length === 0) return [];
  return [element("section", { class: "card left-out", "aria-labelledby": "left-out" },
    element("h2", { id: "left-out" }, "Left out"),
    pairs(report.left_out.map(({ name, why }): Pair => [name, why])))];
}

export function details(report: Report): HTMLElement[] {
  const sections = left_out(report);
  const asked: Pair[] = [
    ["Accuracy asked for", `f(x) \u2212 f* \u2264 ${format_number(report.accuracy.upper)}, g(x) \u2212 g* \u2264 ${format_number(report.accuracy.lower)}${report.accuracy.tight ? ", tight" : ""}`],
  ];
  for (const [name, interval] of [["f*", report.upper_optimum], ["g*", report.lower_optimum]] as const)
    if (interval) asked.push([`Reference ${name}`, interval.low === interval.high ? format_number(interval.low, 12)
      : `between ${format_number(interval.low, 12)} and ${format_number(interval.high, 12)}`]);
  sections.push(element("section", { class: "card", "aria-labelledby": "problem" },
    element("h2", { id: "problem" }, "Problem"), pairs([...report.problem, ...asked])));
  if (report.runs.length > 0)
    sections.push(element("section", { class: "card", "aria-labelledby": "options" },
      element("h2", { id: "options" }, "Methods and options"),
      element("div", { class: "options" }, ...report.runs.map((run) => run_options(run, report.runs.length <= 2)))));
  return sections;
}
