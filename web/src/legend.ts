// One button per run; pressed means shown.
import { element, svg_element } from "./dom";
import { look_of, swatch } from "./palette";
import type { Report } from "./report";

export function legend(report: Report, hidden: Set<number>, on_change: () => void): HTMLElement {
  const buttons = report.runs.map((run, index) =>
    element("button", { type: "button", class: "legend-entry", "aria-pressed": "true", title: "show or hide in all charts",
      onclick: () => {
        if (!hidden.delete(index)) hidden.add(index);
        update();
      } },
      svg_element("svg", { width: 30, height: 12, viewBox: "-1 -6 30 12", "aria-hidden": "true" }, swatch(look_of(index))),
      element("span", {}, run.name)));
  const update = (): void => {
    for (const [index, button] of buttons.entries()) button.setAttribute("aria-pressed", String(!hidden.has(index)));
    on_change();
  };
  const all = (show: boolean) => (): void => {
    hidden.clear();
    if (!show) for (const index of report.runs.keys()) hidden.add(index);
    update();
  };
  const box = element("div", { class: "legend", role: "group", "aria-label": "runs shown in the charts" }, ...buttons);
  if (report.runs.length > 4)
    box.append(element("button", { type: "button", class: "quiet", onclick: all(true) }, "show all"),
      element("button", { type: "button", class: "quiet", onclick: all(false) }, "hide all"));
  return box;
}
