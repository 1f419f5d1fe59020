// The first thing on the page: what is known about the answer, in words.
import { element } from "./dom";
import { format_count, format_number, format_seconds, format_signed } from "./numbers";
import type { Report, Run } from "./report";

const STATUS_WORDS: Record<string, string> = {
  certified: "Certified",
  converged: "Converged, not certified",
  iteration_limit: "Stopped at the iteration limit",
  time_limit: "Stopped at the time limit",
  work_limit: "Stopped at the limit of passes",
  interrupted: "Interrupted",
  stalled: "Stalled",
  not_finite: "Stopped: a value was not finite",
  not_convex: "Stopped: a function is not convex",
};

export const status_words = (status: string): string => STATUS_WORDS[status] ?? status;
/** In one or two words, for a table. */
export const status_label = (status: string): string =>
  status === "work_limit" ? "pass limit" : status.replace(/_/g, " ");
/** For a colour: good, fair or poor. */
export const status_grade = (status: string): string =>
  status === "certified" ? "good" : status === "converged" ? "fair" : "poor";

function bounds_sentence(run: Run): string {
  const known = run.certificate;
  const parts: string[] = [];
  if (known.upper_excess != null) parts.push(`f(x) \u2212 f* \u2264 ${format_signed(known.upper_excess)}`);
  if (known.lower_gap != null) parts.push(`g(x) \u2212 g* \u2264 ${format_number(known.lower_gap)}`);
  if (parts.length === 0) return "nothing is proved about this point";
  const both = parts.join(" and ");
  if (known.evidence === "proved") return `${both}, ${parts.length === 2 ? "both proved" : "proved"}`;
  if (known.upper_excess != null && known.evidence === "estimated") return `${both}, the bound on f estimated`;
  return both;
}

function fact(name: string, value: string, note = ""): HTMLElement {
  return element("div", { class: "fact" }, element("dt", {}, name), element("dd", {}, value),
    note ? element("dd", { class: "note" }, note) : null);
}

function facts_of(run: Run): HTMLElement {
  const known = run.certificate;
  const passes = run.work.upper_passes + run.work.lower_passes;
  const asked = (value: number | null): string => (value == null ? "" : `asked ${format_number(value)}`);
  return element("dl", { class: "facts" },
    fact("f(x) \u2212 f* at most", format_signed(known.upper_excess), asked(run.accuracy.upper)),
    fact("g(x) \u2212 g* at most", format_number(known.lower_gap), asked(run.accuracy.lower)),
    fact("f(x)", format_number(run.upper_value, 7),
      known.upper_lower_bound == null ? "" : `f* \u2265 ${format_number(known.upper_lower_bound, 7)}`),
    fact("g(x)", format_number(run.lower_value, 7),
      known.lower_lower_bound == null ? "" : `g* \u2265 ${format_number(known.lower_lower_bound, 7)}`),
    fact("work", `${format_count(passes)} ${passes === 1 ? "pass" : "passes"}`, `${format_count(run.work.iterations)} iterations`),
    fact("solve time", format_seconds(run.seconds)));
}

export function verdict(report: Report): HTMLElement {
  const first = report.runs[0];
  const section = element("section", { class: "verdict card", "aria-labelledby": "verdict" });
  if (!first) {
    section.append(element("h2", { id: "verdict" }, "No run is recorded in this report."));
    return section;
  }
  const certified = report.runs.filter((run) => run.status === "certified").length;
  const several = report.runs.length > 1;
  const grade = status_grade(first.status);
  section.classList.add(grade);
  if (several)
    section.append(element("p", { class: "tally" },
      `${certified} of ${report.runs.length} runs ended with a certificate. The certificate of ${first.name}:`));
  section.append(element("h2", { id: "verdict" },
    element("span", { class: `seal ${grade}`, "aria-hidden": "true" }, grade === "good" ? "\u2713" : grade === "fair" ? "~" : "!"),
    element("span", {}, element("strong", {}, `${status_words(first.status)}: `), `${bounds_sentence(first)}.`)));
  // The program breaks lines for a terminal; only an empty line means a paragraph here.
  for (const paragraph of report.certificate.split(/\n\s*\n/)) {
    const text = paragraph.replace(/\s+/g, " ").trim();
    if (text) section.append(element("p", { class: "certificate" }, text));
  }
  if (!report.certificate.trim() && first.message) section.append(element("p", { class: "certificate" }, first.message));
  section.append(facts_of(first));
  return section;
}
