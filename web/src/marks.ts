// What the charts are made of.
import * as Plot from "@observablehq/plot";
import { format_number } from "./numbers";
import type { Key } from "./keys";
import { look_of } from "./palette";
import type { Reference } from "./reference";
import type { Axis, Line, Point } from "./series";

export interface View {
  lines: Line[];  // the visible ones
  axis: Axis;
  logarithmic: boolean;
  bounds: boolean;  // also draw what was proved along the way
  width: number;
  upper: Reference;
  lower: Reference;
  asked_upper: number;
  asked_lower: number;
}

export interface Picture { svg: SVGSVGElement; keys: Key[] }
/** A sentence says why there is nothing to draw. */
export type Drawing = Picture | string;

export const MUTED = "var(--muted)";
const HEIGHT = 330;
// With more runs than this the others step back behind the first.
const CROWD = 8;
const RUN = "run-";
/** Marks a mark as that of a run; see draw(). */
export const of_run = (line: Line): { ariaDescription: string } => ({ ariaDescription: `${RUN}${line.index}` });

export function draw(options: Plot.PlotOptions, name: string, keys: Key[] = []): Picture {
  const made = Plot.plot({ height: HEIGHT, marginLeft: 62, marginRight: 22, marginTop: 30, marginBottom: 42,
    ariaLabel: name, ...options, style: { background: "transparent", fontSize: "12px", ...(options.style as object) } });
  made.setAttribute("role", "img");
  // Plot passes on only attributes it knows; whose mark it is belongs into the data, not into what is read aloud.
  for (const mark of made.querySelectorAll<SVGElement>(`[aria-description^="${RUN}"]`)) {
    mark.dataset["run"] = (mark.getAttribute("aria-description") ?? "").slice(RUN.length);
    mark.removeAttribute("aria-description");
  }
  return { svg: made as SVGSVGElement, keys };
}

export function all_points(lines: Line[]): Point[] {
  return lines.flatMap((line) => line.points);
}

/** f - f* of the returned points. */
export function ends(lines: Line[]): number[] {
  return all_points(lines).filter((p) => p.returned && Number.isFinite(p.excess)).map((p) => p.excess);
}

/** The first run is drawn last, on top. */
const from_behind = (lines: Line[]): Line[] => [...lines].reverse();

type Read = (point: Point) => number;

/** The lines of the runs with a marker at the returned point.  Among several, the first is the one the page is about. */
export function run_marks(view: View, x: Read, y: Read): Plot.Markish[] {
  const crowd = view.lines.length > CROWD;
  return from_behind(view.lines).flatMap((line) => {
    const look = look_of(line.index);
    const first = line.index === 0;
    return [
      Plot.line(line.points, { x, y, stroke: look.colour, strokeWidth: first && view.lines.length > 1 ? 3 : crowd ? 1.2 : 1.8,
        strokeOpacity: crowd && !first ? 0.55 : 1, strokeDasharray: look.dash || "none", strokeLinejoin: "round",
        className: "run-line", ...of_run(line) }),
      Plot.dot(line.points.filter((p) => p.returned && Number.isFinite(y(p))), { x, y, fill: look.colour, stroke: "var(--card)",
        symbol: look.marker, r: first ? 5.5 : crowd ? 3.5 : 4.5, className: "run-end", ...of_run(line) }),
    ];
  });
}

/** What was proved along the way, thin and dotted. */
export function bound_marks(view: View, x: Read, y: Read): Plot.Markish[] {
  return view.lines.map((line) => Plot.line(line.points, { x, y, stroke: look_of(line.index).colour,
    strokeWidth: 1.4, strokeOpacity: 0.75, strokeDasharray: "1 3", strokeLinecap: "round", curve: "step-after",
    className: "bound-line", ...of_run(line) }));
}

export const TIP = { fill: "var(--card)", stroke: "var(--line)", textPadding: 8 };

export function tip(view: View, x: Read, y: Read, title: (p: Point) => string): Plot.Markish {
  const points = all_points(view.lines).filter((p) => Number.isFinite(y(p)));
  return Plot.tip(points, Plot.pointer({ x, y, title, ...TIP }));
}

export const where = (view: View, p: Point): string => `${p.name}\n${view.axis}: ${format_number(p.x, 6)}`;

/** A horizontal line for an accuracy that was asked for. */
export function asked_rule(level: number): Plot.Markish {
  return Plot.ruleY(level > 0 ? [level] : [], { stroke: "var(--good)", strokeDasharray: "5 4", strokeWidth: 1.4, className: "asked" });
}
export const asked_key = (level: number): Key[] => (level > 0 ? [{ kind: "asked", words: `asked for: ${format_number(level)}` }] : []);

const shows_below = (upper: Reference, low: number, constant: number): boolean => low < -2 * constant && upper.kind !== "bound";

/** Areas shared by the charts whose vertical axis is f - f* with its sign.  `points`: points are drawn, and those below
 *  f* are explained. */
export function signed_marks(upper: Reference, low: number, constant: number, points: boolean): Plot.Markish[] {
  return [
    Plot.rect(points && shows_below(upper, low, constant) ? [0] : [], { y1: low, y2: 0, fill: "var(--below)", fillOpacity: 0.5, className: "below" }),
    Plot.rect(upper.kind === "interval" ? [0] : [], { y1: -upper.floor, y2: upper.floor, fill: MUTED, fillOpacity: 0.18, className: "floor" }),
    Plot.ruleY([0], { stroke: "var(--ink)", strokeWidth: 1 }),
  ];
}
export function signed_keys(upper: Reference, low: number, constant: number, points: boolean): Key[] {
  const keys: Key[] = [];
  if (points && shows_below(upper, low, constant)) keys.push({ kind: "below", words: "below f*: slack in g buys upper value" });
  if (upper.kind === "interval") keys.push({ kind: "error", words: `error bar of f*, \u00b1${format_number(upper.floor)}` });
  return keys;
}
