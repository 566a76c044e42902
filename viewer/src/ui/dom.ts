// Elements of the page in a line each.

type Child = Node | string | null;

/** An element with attributes, and children in it. A function as an attribute listens to the event of that name. */
export function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  attributes: Record<string, string | boolean | EventListener> = {},
  ...children: Child[]
): HTMLElementTagNameMap[Name] {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (typeof value === "function") made.addEventListener(key, value);
    else if (typeof value === "boolean") made.toggleAttribute(key, value);
    else made.setAttribute(key, value);
  }
  made.append(...children.filter((child) => child !== null));
  return made;
}

export function svg(name: string, attributes: Record<string, string | number> = {}, ...children: Node[]): SVGElement {
  const made = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, String(value));
  made.append(...children);
  return made;
}

/** A button with a picture on it; the words are for those who cannot see it, and for the pointer that rests on it. */
export function iconButton(icon: string, words: string, press: () => void): HTMLButtonElement {
  const button = element("button", { type: "button", class: "icon", title: words, "aria-label": words, click: press });
  button.append(iconOf(icon));
  return button;
}

/** Shows another picture and words on a button. */
export function relabel(button: HTMLButtonElement, icon: string, words: string): void {
  if (button.title === words) return;
  button.title = words;
  button.setAttribute("aria-label", words);
  button.replaceChildren(iconOf(icon));
}

export function press(button: HTMLButtonElement, pressed: boolean): void {
  button.setAttribute("aria-pressed", String(pressed));
}

/** Saves a file, as if it had been downloaded. */
export function save(blob: Blob, name: string): void {
  const address = URL.createObjectURL(blob);
  const link = element("a", { href: address, download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}

function iconOf(path: string): SVGElement {
  return svg("svg", { viewBox: "0 0 24 24", "aria-hidden": "true" }, svg("path", { d: path }));
}
