// All runs as a table that sorts by any column; what is not known always comes last.
import { element, svg_element } from "./dom";
import { format_count, format_number, format_seconds, format_signed, UNKNOWN } from "./numbers";
import { look_of, swatch } from "./palette";
import type { Reference } from "./reference";
import type { Report, Run } from "./report";
import { all_passes, can_be_judged, standing_of, work_to_reach } from "./standing";
import { status_grade, status_label } from "./verdict";

interface Column {
  name: string;
  help?: string;
  numeric: boolean;
  value: (run: Run) => number | string | null;
  show: (run: Run) => string;
}

const number_column = (name: string, value: (run: Run) => number | null,
                       format: (x: number | null) => string, help = ""): Column =>
  ({ name, help, numeric: true, value, show: (run) => format(value(run)) });

const difference = (value: number | null, reference: Reference): number | null =>
  value == null || Number.isNaN(reference.value) ? null : value - reference.value;

/** With the error bar of an interval: the difference to its middle says no more than that. */
const with_error = (x: number | null, reference: Reference): string =>
  format_signed(x) + (x != null && reference.kind === "interval" ? ` \u00b1 ${format_number(reference.floor, 2)}` : "");

/** Which iterate it was, where the returned point is another. */
function weak_words(run: Run): string {
  const work = work_to_reach(run, "passes");
  if (work == null) return "never";
  return standing_of(run) === "left" ? `${format_count(work)} (iteration ${format_count(run.weak_after?.iterations ?? 0)}, left)` : format_count(work);
}

const evidence_rank: Record<string, string> = { proved: "1", estimated: "2", none: "3" };

function columns(report: Report, upper: Reference, lower: Reference): Column[] {
  const digits = (n: number) => (x: number | null) => format_number(x, n);
  const count = (x: number | null): string => (x == null ? UNKNOWN : format_count(x));
  const list: Column[] = [
    { name: "run", numeric: false, value: (run) => run.name, show: (run) => run.name },
    { name: "status", numeric: false, value: (run) => status_label(run.status), show: (run) => status_label(run.status) },
  ];
  for (const [at, [name]] of (report.runs[0]?.columns ?? []).entries())
    list.push({ name, numeric: false, value: (run) => run.columns[at]?.[1] ?? null, show: (run) => run.columns[at]?.[1] ?? UNKNOWN });
  if (can_be_judged(report))
    list.push({ name: "weak after", numeric: true, value: (run) => work_to_reach(run, "passes"), show: weak_words,
      help: "passes until the first point that is surely weak optimal; 'left': the run returned another point, which is not" });
  list.push(
    number_column("passes", all_passes, count, "products with the data or its transpose, both levels"),
    number_column("time", (run) => run.seconds, format_seconds, "seconds of solving"));
  if (report.upper_optimum) list.push(number_column("f \u2212 f*", (run) => difference(run.upper_value, upper), (x) => with_error(x, upper),
    "measured against the reference value; negative: below f*"));
  if (report.lower_optimum) list.push(number_column("g \u2212 g*", (run) => difference(run.lower_value, lower), (x) => format_signed(x),
    "measured against the reference value"));
  list.push(
    number_column("f \u2212 f* \u2264", (run) => run.certificate.upper_excess, (x) => format_signed(x),
      "bound told by the run itself, with its sign; the evidence says whether it is proved"),
    number_column("g \u2212 g* \u2264", (run) => run.certificate.lower_gap, digits(4), "bound proved by the run itself"),
    { name: "evidence", numeric: false, value: (run) => evidence_rank[run.certificate.evidence] ?? "4", show: (run) => run.certificate.evidence },
    number_column("f(x)", (run) => run.upper_value, digits(7)),
    number_column("g(x)", (run) => run.lower_value, digits(7)),
    number_column("iterations", (run) => run.work.iterations, count));
  return list;
}

function compare(a: number | string | null, b: number | string | null, direction: number): number {
  const a_known = a != null && !(typeof a === "number" && !Number.isFinite(a));
  const b_known = b != null && !(typeof b === "number" && !Number.isFinite(b));
  if (!a_known || !b_known) return Number(b_known) - Number(a_known);
  if (typeof a === "number" && typeof b === "number") return direction * (a - b);
  return direction * String(a).localeCompare(String(b), "en", { numeric: true });
}

export function run_table(report: Report, upper: Reference, lower: Reference): HTMLElement {
  const shown = columns(report, upper, lower);
  const body = element("tbody");
  const heads: HTMLTableCellElement[] = [];
  const rows = report.runs.map((run, index) => {
    const cells = shown.map((column, at) => {
      const cell = element(at === 0 ? "th" : "td", { class: column.numeric ? "number" : "text" });
      if (at === 0) {
        cell.setAttribute("scope", "row");
        cell.append(svg_element("svg", { width: 30, height: 12, viewBox: "-1 -6 30 12", "aria-hidden": "true" }, swatch(look_of(index))));
      }
      if (column.name === "status") cell.append(element("span", { class: `status ${report.finding ? "plain" : status_grade(run.status)}`, title: run.message }, column.show(run)));
      else cell.append(column.show(run));
      return cell;
    });
    const row = element("tr", index === 0 && report.runs.length > 1 ? { class: "own" } : {}, ...cells);
    body.append(row);
    return { run, row };
  });

  let sorted = -1, direction = 1;
  const sort = (at: number): void => {
    const column = shown[at];
    if (!column) return;
    direction = sorted === at ? -direction : 1;
    sorted = at;
    for (const [i, head] of heads.entries())
      head.setAttribute("aria-sort", i === at ? (direction > 0 ? "ascending" : "descending") : "none");
    rows.sort((a, b) => compare(column.value(a.run), column.value(b.run), direction));
    body.append(...rows.map(({ row }) => row));
  };
  for (const [at, column] of shown.entries())
    heads.push(element("th", { scope: "col", "aria-sort": "none", class: column.numeric ? "number" : "text",
      ...(column.help ? { title: column.help } : {}) },
      element("button", { type: "button", class: "sort", onclick: () => sort(at) }, column.name)));

  return element("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "table of runs" },
    element("table", { class: "runs" }, element("thead", {}, element("tr", {}, ...heads)), body));
}
