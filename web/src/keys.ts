// What the areas and lines of a chart mean, said beside the drawing: no words lie where lines may cross them.
import { element, svg_element } from "./dom";

export type KeyKind = "asked" | "below" | "error" | "impossible" | "bound" | "cut";
export interface Key { kind: KeyKind; words: string }

const line = (colour: string, dash: string, width: number): SVGElement =>
  svg_element("line", { x1: 0, y1: 0, x2: 26, y2: 0, stroke: colour, "stroke-width": width, "stroke-dasharray": dash });
const area = (colour: string, opacity: number): SVGElement =>
  svg_element("rect", { x: 0, y: -5, width: 26, height: 10, fill: colour, "fill-opacity": opacity, stroke: "var(--muted)", "stroke-width": 0.5 });

const SWATCHES: Record<KeyKind, () => SVGElement> = {
  asked: () => line("var(--good)", "5 4", 1.6),
  below: () => area("var(--below)", 0.8),
  error: () => area("var(--muted)", 0.25),
  impossible: () => area("var(--impossible)", 0.9),
  bound: () => line("var(--muted)", "1 3", 1.6),
  cut: () => line("var(--ink)", "none", 1.6),
};

export const key_swatch = (key: Key): SVGGElement => svg_element("g", {}, SWATCHES[key.kind]());

export function key_list(keys: Key[]): HTMLElement | null {
  if (keys.length === 0) return null;
  return element("ul", { class: "keys" }, ...keys.map((key) => element("li", {},
    svg_element("svg", { width: 28, height: 12, viewBox: "-1 -6 28 12", "aria-hidden": "true" }, key_swatch(key)), key.words)));
}
