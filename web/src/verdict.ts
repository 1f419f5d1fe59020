// The first thing on the page: what is known about the answer, in words.
import { element } from "./dom";
import { format_count, format_number, format_seconds, format_signed } from "./numbers";
import type { Reference } from "./reference";
import type { Finding, Report, Run } from "./report";
import { all_passes, passes_to_proof } from "./standing";

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

/** What the whole page measures against, so that no two values of f* or g* are told. */
function reference_words(name: string, { kind, value, floor }: Reference): string {
  if (kind === "none") return "";
  const words = `${name} ${kind === "bound" ? "\u2265" : "="} ${format_number(value, 7)}`;
  return kind === "interval" ? `${words}, known to ${format_number(floor, 2)}` : words;
}

function work_words(run: Run): string {
  const iterations = `${format_count(run.work.iterations)} iterations`;
  const proof = passes_to_proof(run);
  if (proof == null || proof >= all_passes(run)) return iterations;
  return `certified after ${format_count(proof)}, then ${format_count(all_passes(run) - proof)} to come nearer; ${iterations}`;
}

function facts_of(run: Run, upper: Reference, lower: Reference): HTMLElement {
  const known = run.certificate;
  const passes = all_passes(run);
  const asked = (value: number | null): string => (value == null ? "" : `asked ${format_number(value)}`);
  return element("dl", { class: "facts" },
    fact("f(x) \u2212 f* at most", format_signed(known.upper_excess), asked(run.accuracy.upper) +
      (known.evidence === "proved" && (known.upper_excess ?? 0) < 0 ? "; below f*: bought by the slack in g" : "")),
    fact("g(x) \u2212 g* at most", format_number(known.lower_gap), asked(run.accuracy.lower)),
    fact("f(x)", format_number(run.upper_value, 7), reference_words("f*", upper)),
    fact("g(x)", format_number(run.lower_value, 7), reference_words("g*", lower)),
    fact("work", `${format_count(passes)} ${passes === 1 ? "pass" : "passes"}`, work_words(run)),
    fact("solve time", format_seconds(run.seconds)));
}

const SEALS: Record<string, string> = { good: "\u2713", fair: "~", poor: "!" };

function headline(grade: string, strong: string, rest: string): HTMLElement {
  return element("h2", { id: "verdict" }, element("span", { class: `seal ${grade}`, "aria-hidden": "true" }, SEALS[grade]),
    element("span", {}, element("strong", {}, strong), rest));
}

/** Of an experiment that tries a theorem. */
export function finding_card(finding: Finding): HTMLElement {
  const grade = finding.holds ? "good" : "poor";
  return element("section", { class: `verdict card ${grade}`, "aria-labelledby": "verdict" },
    headline(grade, finding.holds ? "Confirmed: " : "Refuted: ", finding.headline), element("p", { class: "certificate" }, finding.text));
}

export function verdict(report: Report, upper: Reference, lower: Reference): HTMLElement {
  if (report.finding) return finding_card(report.finding);
  const first = report.runs[0];
  const section = element("section", { class: "verdict card", "aria-labelledby": "verdict" });
  if (!first) {
    section.append(element("h2", { id: "verdict" }, "No run is recorded in this report."));
    return section;
  }
  const grade = status_grade(first.status);
  section.classList.add(grade);
  if (report.runs.length > 1) section.append(element("p", { class: "tally" }, `What is known about the answer of ${first.name}:`));
  section.append(headline(grade, `${status_words(first.status)}: `, `${bounds_sentence(first)}.`));
  // The program breaks lines for a terminal; only an empty line means a paragraph here.
  for (const paragraph of report.certificate.split(/\n\s*\n/)) {
    const text = paragraph.replace(/\s+/g, " ").trim();
    if (text) section.append(element("p", { class: "certificate" }, text));
  }
  if (!report.certificate.trim() && first.message) section.append(element("p", { class: "certificate" }, first.message));
  section.append(facts_of(first, upper, lower));
  return section;
}
