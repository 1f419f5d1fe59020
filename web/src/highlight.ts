// One run stands out in all charts while somebody points at it.

const marks = (): NodeListOf<SVGElement> => document.querySelectorAll<SVGElement>(".figures [data-run]");

/** The index of a run; -1: none. */
export function highlight(chosen: number): void {
  for (const mark of marks()) {
    const own = mark.dataset["run"] === String(chosen);
    mark.style.opacity = chosen < 0 || own ? "" : "0.1";
    mark.classList.toggle("chosen", own);
  }
  for (const row of document.querySelectorAll<HTMLElement>("[data-row]"))
    row.classList.toggle("chosen", row.dataset["row"] === String(chosen));
}

/** Attributes of something that stands for a run. */
export const points_at = (index: number): Record<string, string | ((event: Event) => void)> => ({
  "data-row": String(index),
  onmouseenter: () => highlight(index), onmouseleave: () => highlight(-1),
  onfocus: () => highlight(index), onblur: () => highlight(-1),
});
