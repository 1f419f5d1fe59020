// A chart in its card: heading, files, drawing, what its areas and lines mean, caption.
import { element } from "./dom";
import { save_png, save_svg, type Exported } from "./export";
import { key_list } from "./keys";
import type { Drawing, Picture } from "./marks";

export interface FigureWords { id: string; title: string; caption: string; controls?: HTMLElement }

export interface FigureCard {
  element: HTMLElement;
  /** Of the drawing, in pixels, as the page is now. */
  width: () => number;
  show: (made: Drawing) => void;
}

export function figure_card(words: FigureWords, names: () => Exported["names"]): FigureCard {
  const place = element("div", { class: "plot" }), keys = element("div", {});
  let drawn: Picture | null = null;
  const save = (kind: "SVG" | "PNG"): HTMLButtonElement => element("button", { type: "button", class: "quiet", "data-save": kind,
    "aria-label": `save ${words.title} as ${kind}`,
    onclick: () => {
      if (!drawn) return;
      const about = { title: words.title, names: names(), keys: drawn.keys };
      if (kind === "SVG") save_svg(drawn.svg, about, `fcbio-${words.id}`);
      else void save_png(drawn.svg, about, `fcbio-${words.id}`);
    } }, kind);
  const buttons = [save("SVG"), save("PNG")];
  const card = element("figure", { class: "card", id: words.id },
    element("div", { class: "figure-head" }, element("h3", {}, words.title),
      element("div", { class: "figure-tools" }, words.controls ?? null, ...buttons)),
    place, keys, element("figcaption", {}, words.caption));
  return {
    element: card,
    width: () => Math.round(Math.max(280, Math.min(place.clientWidth || 600, 1260))),
    show: (made) => {
      drawn = typeof made === "string" ? null : made;
      place.replaceChildren(typeof made === "string" ? element("p", { class: "empty" }, made) : made.svg);
      const list = typeof made === "string" ? null : key_list(made.keys);
      keys.replaceChildren(...(list ? [list] : []));
      for (const button of buttons) button.disabled = typeof made === "string";
    },
  };
}

/** Calls `render` once the width of the box is known, and again whenever it changes. */
export function on_resize(box: HTMLElement, render: () => void): void {
  let last = 0;
  new ResizeObserver(() => {
    const width = box.clientWidth;
    if (Math.abs(width - last) < 2 || matchMedia("print").matches) return;
    last = width;
    render();
  }).observe(box);
}
