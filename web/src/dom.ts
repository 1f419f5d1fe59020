// Elements.  Text is always set as text, never parsed as HTML.

type Child = Node | string | null | undefined;
type Attributes = Record<string, string | boolean | ((event: Event) => void)>;

/** element("button", {class: "x", onclick: f}, "text", child ...) */
export function element<K extends keyof HTMLElementTagNameMap>(
  name: K, attributes: Attributes = {}, ...children: Child[]
): HTMLElementTagNameMap[K] {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (typeof value === "function") made.addEventListener(key.slice(2), value);
    else if (typeof value === "boolean") made.toggleAttribute(key, value);
    else made.setAttribute(key, value);
  }
  for (const child of children) if (child != null) made.append(child);
  return made;
}

export function svg_element<K extends keyof SVGElementTagNameMap>(
  name: K, attributes: Record<string, string | number> = {}, ...children: Child[]
): SVGElementTagNameMap[K] {
  const made = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, String(value));
  for (const child of children) if (child != null) made.append(child);
  return made;
}

/** A row of buttons of which one is pressed. */
export function choice<T extends string>(
  label: string, options: readonly (readonly [T, string])[], chosen: T, on_choice: (value: T) => void
): HTMLElement {
  const buttons = options.map(([value, text]) =>
    element("button", { type: "button", "data-value": value, "aria-pressed": String(value === chosen),
      onclick: () => {
        for (const [i, option] of options.entries())
          buttons[i]?.setAttribute("aria-pressed", String(option[0] === value));
        on_choice(value);
      } }, text));
  return element("div", { class: "choice", role: "group", "aria-label": label },
    element("span", { class: "choice-label" }, label), ...buttons);
}
