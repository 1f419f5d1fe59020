// A chart as a file: the drawing with its title and legend, colours written out, on the page's background.
import { svg_element } from "./dom";
import { key_swatch, type Key } from "./keys";
import { look_of, swatch } from "./palette";

export interface Exported { title: string; names: { name: string; index: number }[]; keys: Key[] }

const FONT = "system-ui, -apple-system, 'Segoe UI', 'DejaVu Sans', sans-serif";
const SIDE = 16;

/** var(--name) means nothing outside of the page. */
function write_out_variables(root: Element): void {
  const style = getComputedStyle(document.documentElement);
  for (const node of [root, ...root.querySelectorAll("*")])
    for (const attribute of [...node.attributes])
      if (attribute.value.includes("var(--"))
        node.setAttribute(attribute.name, attribute.value.replace(/var\((--[\w-]+)\)/g,
          (_, name: string) => style.getPropertyValue(name).trim() || "none"));
}

export function chart_document(chart: SVGSVGElement, about: Exported): SVGSVGElement {
  const width = Number(chart.getAttribute("width")), height = Number(chart.getAttribute("height"));
  const copy = chart.cloneNode(true) as SVGSVGElement;
  for (const tip of copy.querySelectorAll("[aria-label='tip']")) tip.replaceChildren();
  copy.setAttribute("x", String(SIDE));
  copy.setAttribute("y", "44");
  const legend = svg_element("g");
  let x = SIDE, y = 44 + height + 22;
  const entries = [...about.keys.map((key) => ({ name: key.words, entry: key_swatch(key) })),
    ...about.names.map(({ name, index }) => ({ name, entry: swatch(look_of(index)) }))];
  for (const { name, entry } of entries) {
    const shown = name.length > 60 ? `${name.slice(0, 59)}\u2026` : name;
    const room = 34 + 7.2 * shown.length + 18;
    if (x > SIDE && x + room > width + SIDE) { x = SIDE; y += 22; }
    entry.setAttribute("transform", `translate(${x} ${y})`);
    legend.append(entry, svg_element("text", { x: x + 34, y: y + 4, "font-size": 13, fill: "var(--ink)" }, shown));
    x += room;
  }
  const whole = { width: width + 2 * SIDE, height: y + 20 };
  const out = svg_element("svg", { xmlns: "http://www.w3.org/2000/svg", ...whole, viewBox: `0 0 ${whole.width} ${whole.height}`,
    "font-family": FONT, color: "var(--ink)" },
    svg_element("rect", { ...whole, fill: "var(--card)" }),
    svg_element("text", { x: SIDE, y: 28, "font-size": 16, "font-weight": 600, fill: "var(--ink)" }, about.title),
    copy, legend);
  write_out_variables(out);
  return out;
}

function download(address: string, name: string): void {
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  document.body.append(link);
  link.click();
  link.remove();
}

export function save_svg(chart: SVGSVGElement, about: Exported, name: string): void {
  const text = new XMLSerializer().serializeToString(chart_document(chart, about));
  const address = URL.createObjectURL(new Blob([text], { type: "image/svg+xml" }));
  download(address, `${name}.svg`);
  setTimeout(() => URL.revokeObjectURL(address), 10000);
}

export async function save_png(chart: SVGSVGElement, about: Exported, name: string): Promise<void> {
  const out = chart_document(chart, about);
  const scale = 2;
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(new XMLSerializer().serializeToString(out))}`;
  await image.decode();
  const canvas = document.createElement("canvas");
  canvas.width = Number(out.getAttribute("width")) * scale;
  canvas.height = Number(out.getAttribute("height")) * scale;
  canvas.getContext("2d")?.drawImage(image, 0, 0, canvas.width, canvas.height);
  const blob = await new Promise<Blob | null>((done) => canvas.toBlob(done, "image/png"));
  if (!blob) return;
  const address = URL.createObjectURL(blob);
  download(address, `${name}.png`);
  setTimeout(() => URL.revokeObjectURL(address), 10000);
}
