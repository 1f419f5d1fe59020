// The report page.  Everything it shows is in the page; it loads nothing.
import { bounds_sections } from "./bounds";
import { details, left_out } from "./details";
import { element } from "./dom";
import { figures } from "./figures";
import { ranking } from "./ranking";
import { lower_reference, upper_reference } from "./reference";
import { read_report, type Bounds, type Report } from "./report";
import { solution_section } from "./solution";
import { run_table } from "./table";
import { finding_card, verdict } from "./verdict";

const KINDS: Record<string, string> = { demo: "demo", solve: "solve", compare: "comparison", paper: "published experiment",
  hard: "hard instances", bounds: "lower bounds" };

function theme_button(): HTMLElement {
  const root = document.documentElement;
  const dark = (): boolean => root.dataset["theme"] ? root.dataset["theme"] === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  const button = element("button", { type: "button", class: "quiet theme", onclick: () => {
    root.dataset["theme"] = dark() ? "light" : "dark";
    name();
  } });
  const name = (): void => { button.textContent = dark() ? "light theme" : "dark theme"; };
  name();
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", name);
  return button;
}

function introduction(text: string): HTMLElement | null {
  if (!text.trim()) return null;
  const box = element("div", { class: "introduction" });
  // Indented lines are formulas and keep their shape; the others flow.
  let flowing: string[] = [];
  const flush = (): void => {
    if (flowing.length > 0) box.append(element("p", {}, flowing.join(" ")));
    flowing = [];
  };
  for (const line of text.split("\n")) {
    if (/^\s{2,}\S/.test(line)) {
      flush();
      box.append(element("pre", {}, line.trim()));
    } else if (line.trim() === "") flush();
    else flowing.push(line.trim());
  }
  flush();
  return box;
}

function run_sections(report: Report): (HTMLElement | null)[] {
  const upper = upper_reference(report), lower = lower_reference(report);
  const answer = solution_section(report), charts = figures(report, upper, lower);
  return [
    ranking(report, upper, lower),
    verdict(report, upper, lower),
    // One run is about its answer, several are about each other.
    ...(report.runs.length > 1 ? [charts, answer] : [answer, charts]),
    element("section", { class: "card", "aria-labelledby": "runs" }, element("h2", { id: "runs" }, report.runs.length === 1 ? "Run" : "Runs"),
      run_table(report, upper, lower)),
    ...details(report)];
}

function bounds_page(report: Report, bounds: Bounds): HTMLElement[] {
  return [...(report.finding ? [finding_card(report.finding)] : []), ...bounds_sections(bounds), ...left_out(report)];
}

function page(report: Report): Node[] {
  document.title = report.title ? `${report.title} \u2013 fcbio report` : "fcbio report";
  const nodes: (HTMLElement | null)[] = [
    element("header", {},
      element("div", { class: "top" }, element("p", { class: "kind" }, `fcbio ${KINDS[report.kind] ?? report.kind}`), theme_button()),
      element("h1", {}, report.title || "Report"),
      introduction(report.introduction)),
    element("main", {}, ...(report.bounds ? bounds_page(report, report.bounds) : run_sections(report))),
    element("footer", {}, element("p", {},
      `Made by fcbio ${report.version}. f is the upper objective, g the lower one, Z the domain; f* is the least f among all minimisers of g over Z, g* the least g on Z. A pass is one product with the data or its transpose. This file is complete in itself and loads nothing.`)),
  ];
  return nodes.filter((node): node is HTMLElement => node !== null);
}

/** On paper nothing can be opened. */
function open_when_printed(): void {
  let closed: HTMLDetailsElement[] = [];
  addEventListener("beforeprint", () => {
    closed = [...document.querySelectorAll<HTMLDetailsElement>("details:not([open])")];
    for (const box of closed) box.open = true;
  });
  addEventListener("afterprint", () => {
    for (const box of closed) box.open = false;
  });
}

const place = document.getElementById("page");
if (place) {
  try {
    place.replaceChildren(...page(read_report()));
    open_when_printed();
  } catch (error) {
    place.replaceChildren(element("p", { class: "notice" }, `This report cannot be shown: ${String(error)}`));
    throw error;
  }
}
