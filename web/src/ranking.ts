// Who reached the asked accuracy, and with how much work: the first thing on the page of a comparison.  A run counts
// from the first of its points that is surely weak optimal, the same measure for all; what it then spent on its proof
// is drawn behind that, as a frame.
import { choice, element, svg_element } from "./dom";
import { points_at } from "./highlight";
import { format_count, format_number, format_power, format_seconds, powers } from "./numbers";
import { look_of, swatch } from "./palette";
import type { Reference } from "./reference";
import type { Report, Run } from "./report";
import { line_of } from "./series";
import {
  all_passes, can_be_judged, passes_to_proof, standing_of, STANDINGS, work_to_proof, work_to_reach, type Measure, type Standing,
} from "./standing";
import { status_label } from "./verdict";

interface Place { run: Run; index: number; standing: Standing; work: number; rank: number }

const amount_words = (value: number, measure: Measure): string =>
  measure === "seconds" ? format_seconds(value) : `${format_count(value)} ${value === 1 ? "pass" : "passes"}`;

/** Those who returned what was asked for first, by their work; then those who left again; then the others, in their old
 *  order. */
function ranked(runs: Run[], measure: Measure): Place[] {
  const group = (standing: Standing): number => Math.max(1, STANDINGS.findIndex(([name]) => name === standing));
  return runs.map((run, index) => ({ run, index, standing: standing_of(run), work: work_to_reach(run, measure) ?? Infinity, rank: 0 }))
    .sort((a, b) => group(a.standing) - group(b.standing) || (a.work === b.work ? a.index - b.index : a.work - b.work))
    .map((place, at) => ({ ...place, rank: at + 1 }));
}

const has = (place: Place): boolean => place.standing === "proved" || place.standing === "reached";

/** "55 passes, proved after 58" */
function tell({ run, work }: Place): string {
  const proof = passes_to_proof(run);
  if (proof == null) return `${amount_words(work, "passes")}, not proved`;
  return proof === work ? `${amount_words(work, "passes")}, proved` : `${amount_words(work, "passes")}, proved after ${format_count(proof)}`;
}

/** "fcbio: 55 passes, proved after 58; next: fbi-pg, 1,556 passes, not proved. 1 of 30 ended with a proof, 21 never got there." */
function sentence(report: Report): HTMLElement {
  const order = ranked(report.runs, "passes");
  const there = order.filter(has);
  const [first, second] = there;
  const own = order.find(({ index }) => index === 0);
  const words = element("p", { class: "ranking-sentence" });
  if (first) {
    words.append(element("strong", {}, `${first.run.name}: ${tell(first)}`));
    words.append(second ? `; next: ${second.run.name}, ${tell(second)}` : "; nobody else got there");
    if (own && has(own) && own.rank > 2) words.append(`; ${own.run.name} (place ${own.rank}), ${tell(own)}`);
    words.append(". ");
  } else words.append(element("strong", {}, "Nobody got there and stayed. "));
  const proofs = report.runs.filter((run) => standing_of(run) === "proved").length;
  const never = order.filter(({ standing }) => standing === "never").length;
  words.append(`${proofs} of ${order.length} ended with a proof, ${never === 0 ? "all got there" : `${never} never got there`}.`);
  return words;
}

interface Scale { percent: (value: number) => number; ticks: number[] }

// Linear bars say it best; where the longest is more than this many times the shortest, short ones could not be told apart.
const LARGEST_RATIO = 300;

function bar_scale(values: number[]): Scale {
  const positive = values.filter((value) => value > 0 && Number.isFinite(value));
  if (positive.length === 0) return { percent: () => 0, ticks: [] };
  const high = Math.max(...positive), low = Math.min(...positive);
  if (high <= LARGEST_RATIO * low) return { percent: (value) => 100 * Math.max(0, value) / high, ticks: [] };
  const start = 10 ** (Math.ceil(Math.log10(low)) - 1);
  return { percent: (value) => value > start ? 100 * Math.log(value / start) / Math.log(high / start) : 0,
    ticks: powers(start, high, 6) };
}

function track(place: Place, measure: Measure, scale: Scale): HTMLElement {
  const made = element("span", { class: "track", "aria-hidden": "true" });
  const bar = (value: number, kind: string): void => {
    const drawn = element("span", { class: kind });
    drawn.style.width = `${scale.percent(value).toFixed(2)}%`;
    made.append(drawn);
  };
  const proof = work_to_proof(place.run, measure);
  if (proof != null && proof > place.work) bar(proof, "bar proof");
  if (Number.isFinite(place.work)) bar(place.work, place.standing === "left" ? "bar left" : "bar");
  return made;
}

function much(place: Place, measure: Measure, nearest: number): HTMLElement {
  const { run, standing, work } = place;
  const made = element("span", { class: "much" });
  const note = (words: string, kind = ""): void => { made.append(" ", element("small", { class: kind }, words)); };
  made.append(element("b", {}, Number.isFinite(work) ? amount_words(work, measure) : standing === "never" ? "never" : "not timed"));
  if (standing === "never") {
    note(`${status_label(run.status)} after ${format_count(all_passes(run))} passes` +
      (Number.isFinite(nearest) ? `; at best ${format_number(nearest, 2)} times what was asked for` : ""));
  } else if (standing === "left") {
    note(`at iteration ${format_count(run.weak_after?.iterations ?? 0)}; the returned point is not within the accuracy`);
  } else if (standing === "proved") {
    const proof = work_to_proof(run, measure);
    const after = proof == null || proof === work ? "" : ` after ${measure === "passes" ? format_count(proof) : format_seconds(proof)}`;
    note(`\u2713 proved${after}`, "proof-note");
    const extra = all_passes(run) - (passes_to_proof(run) ?? 0);
    if (extra > 0) note(`then ${amount_words(extra, "passes")} more, to come nearer`);
  } else note("not proved");
  return made;
}

function axis(scale: Scale, measure: Measure): HTMLElement[] {
  if (scale.ticks.length === 0) return [];
  const ticks = scale.ticks.map((value) => {
    const tick = element("span", { class: "tick" }, format_power(value));
    tick.style.left = `${scale.percent(value).toFixed(2)}%`;
    return tick;
  });
  return [element("li", { class: "axis", "aria-hidden": "true" }, element("span", {}), element("span", { class: "ticks" }, ...ticks),
    element("span", { class: "much" }, `${measure}, logarithmic`))];
}

/** Null where nobody can be judged. */
export function ranking(report: Report, upper: Reference, lower: Reference): HTMLElement | null {
  if (!can_be_judged(report)) return null;
  const nearest = report.runs.map((run, index) => line_of(run, index, "passes", upper, lower).points
    .reduce((least, point) => (point.far < least ? point.far : least), Infinity));
  const row = (place: Place, measure: Measure, scale: Scale): HTMLElement =>
    element("li", { class: `${place.standing}${place.index === 0 ? " own" : ""}`, ...points_at(place.index) },
      element("span", { class: "who", title: place.run.name },
        svg_element("svg", { width: 30, height: 12, viewBox: "-1 -6 30 12", "aria-hidden": "true" }, swatch(look_of(place.index))), place.run.name),
      track(place, measure, scale), much(place, measure, nearest[place.index] ?? Infinity));
  const there = element("ol", { class: "ranking" }), never = element("ol", { class: "ranking" });
  const fill = (measure: Measure): void => {
    const order = ranked(report.runs, measure);
    const scale = bar_scale(order.flatMap(({ run, work }) => [work, work_to_proof(run, measure) ?? work]));
    const rows = (standing: (place: Place) => boolean): HTMLElement[] => order.filter(standing).map((place) => row(place, measure, scale));
    there.replaceChildren(...axis(scale, measure), ...rows(({ standing }) => standing !== "never"));
    never.replaceChildren(...rows(({ standing }) => standing === "never"));
  };
  fill("passes");
  const lost = ranked(report.runs, "passes").filter(({ standing }) => standing === "never").map(({ run }) => run.name);
  const asked = `f(x) \u2264 f* + ${format_number(report.accuracy.upper)} and g(x) \u2264 g* + ${format_number(report.accuracy.lower)}`;
  return element("section", { class: "card first", "aria-labelledby": "ranking" },
    element("div", { class: "figure-head" },
      element("h2", { id: "ranking" }, "Work until the asked accuracy", element("small", {}, ` ${asked}; shorter is better`)),
      choice("measured in", [["passes", "passes"], ["seconds", "seconds"]] as const, "passes", fill)),
    sentence(report),
    there,
    lost.length === 0 ? null : element("details", { class: "never", open: lost.length <= 6 },
      element("summary", {}, `${lost.length} never got there`, element("small", {}, ` ${lost.join(", ")}`)), never),
    element("p", { class: "ranking-note" },
      "A bar ends where a run first had a point within the asked accuracy, as judged afterwards by f* and g*; the frame goes on to where the run itself had proved it. A pass is one product with the data or its transpose."));
}
