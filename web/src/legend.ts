// One button per run; pressed means shown.  Pointing at one dims the others in all charts; many are grouped by how far
// they got, and can be searched.
import { element, svg_element } from "./dom";
import { points_at } from "./highlight";
import { look_of, swatch } from "./palette";
import type { Report } from "./report";
import { can_be_judged, standing_of, STANDINGS } from "./standing";

// More names than this are looked for, not read.
const MANY = 8;

export function legend(report: Report, hidden: Set<number>, on_change: () => void): HTMLElement {
  const buttons = report.runs.map((run, index) =>
    element("button", { type: "button", class: "legend-entry", "aria-pressed": "true", title: "show or hide in all charts",
      onclick: () => {
        if (!hidden.delete(index)) hidden.add(index);
        update();
      },
      ...points_at(index) },
      svg_element("svg", { width: 30, height: 12, viewBox: "-1 -6 30 12", "aria-hidden": "true" }, swatch(look_of(index))),
      element("span", {}, run.name)));
  const groups: { members: number[]; button: HTMLElement }[] = [];
  const update = (): void => {
    for (const [index, button] of buttons.entries()) button.setAttribute("aria-pressed", String(!hidden.has(index)));
    for (const { members, button } of groups) {
      const shown = members.filter((index) => !hidden.has(index)).length;
      button.setAttribute("aria-pressed", shown === 0 ? "false" : shown === members.length ? "true" : "mixed");
    }
    on_change();
  };
  const set_shown = (members: Iterable<number>, show: boolean): void => {
    for (const index of members)
      if (show) hidden.delete(index);
      else hidden.add(index);
    update();
  };

  const box = element("div", { class: "legend", role: "group", "aria-label": "runs shown in the charts" });
  if (report.runs.length > MANY)
    box.append(element("input", { type: "search", class: "search", placeholder: "find a run", "aria-label": "find a run",
      oninput: (event) => {
        const wanted = (event.currentTarget as HTMLInputElement).value.trim().toLowerCase();
        for (const [index, button] of buttons.entries())
          button.hidden = wanted !== "" && !(report.runs[index]?.name ?? "").toLowerCase().includes(wanted);
      } }));
  if (report.runs.length > 4)
    box.append(element("button", { type: "button", class: "quiet", onclick: () => set_shown(report.runs.keys(), true) }, "show all"),
      element("button", { type: "button", class: "quiet", onclick: () => set_shown(report.runs.keys(), false) }, "hide all"));
  if (report.runs.length <= MANY || !can_be_judged(report)) {
    box.append(...buttons);
    return box;
  }
  for (const [standing, words] of STANDINGS) {
    const members = report.runs.flatMap((run, index) => (standing_of(run) === standing ? [index] : []));
    if (members.length === 0) continue;
    const button = element("button", { type: "button", class: "legend-group toggle", "aria-pressed": "true",
      title: "show or hide all of them",
      onclick: () => set_shown(members, button.getAttribute("aria-pressed") !== "true") }, `${words} (${members.length})`);
    groups.push({ members, button });
    box.append(element("div", { class: "legend-row", role: "group", "aria-label": words }, button, ...members.map((index) => buttons[index])));
  }
  return box;
}
