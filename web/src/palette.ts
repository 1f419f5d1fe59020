// How runs are told apart: 8 colours that people with colour-blindness can tell apart (after Okabe and Ito; the
// values for both themes are in style.css), and beyond 8 runs dashes and end markers.
import { svg_element } from "./dom";

export type Marker = "circle" | "square" | "diamond2" | "triangle2" | "cross";

export interface Look { colour: string; dash: string; marker: Marker }

const COLOURS = 8;
const DASHES = ["", "7 3", "2 3", "9 3 2 3", "1 4"];
const MARKERS: Marker[] = ["circle", "square", "diamond2", "triangle2", "cross"];

export function look_of(index: number): Look {
  const cycle = Math.floor(index / COLOURS) % DASHES.length;
  return { colour: `var(--run-${index % COLOURS})`, dash: DASHES[cycle] ?? "", marker: MARKERS[cycle] ?? "circle" };
}

const SHAPES: Record<Marker, string> = {
  circle: "M-4 0a4 4 0 1 0 8 0a4 4 0 1 0 -8 0Z",
  square: "M-3.5 -3.5h7v7h-7Z",
  diamond2: "M0 -5L5 0L0 5L-5 0Z",
  triangle2: "M0 -5L4.5 3.5H-4.5Z",
  cross: "M-4.5 -1.5h3v-3h3v3h3v3h-3v3h-3v-3h-3Z",
};

/** A short piece of line with its marker, for the legend. */
export function swatch(look: Look): SVGGElement {
  return svg_element("g", {},
    svg_element("line", { x1: 0, y1: 0, x2: 26, y2: 0, stroke: look.colour, "stroke-width": 2,
      "stroke-dasharray": look.dash || "none" }),
    svg_element("path", { d: SHAPES[look.marker], transform: "translate(20 0)", fill: look.colour }));
}
