type Child = Node | string | undefined | false;

/** Attributes by name, and event handlers such as "onclick". */
type Attributes = {
  readonly [name: string]: string | number | boolean | undefined | ((event: never) => void);
};

type Tag = keyof HTMLElementTagNameMap;
type ElementOf<N> = N extends Tag
  ? HTMLElementTagNameMap[N]
  : N extends `${infer T extends Tag}.${string}`
    ? HTMLElementTagNameMap[T]
    : never;

/**
 * An element of that tag and these classes, as "button.main", with its attributes, if any, and children. Strings become text nodes: a node's
 * text is never parsed as HTML.
 */
export function h<const N extends Tag | `${Tag}.${string}`>(
  name: N,
  ...content: readonly (Child | Attributes)[]
): ElementOf<N> {
  const [tag, ...classes] = name.split(".");
  const element = document.createElement(tag);
  if (classes.length > 0) element.className = classes.join(" ");
  if (tag === "button") element.setAttribute("type", "button"); // a form's is "submit" else
  for (const each of content) {
    if (typeof each === "string" || each instanceof Node) element.append(each);
    else if (each) setAttributes(element, each);
  }
  return element as ElementOf<N>;
}

function setAttributes(element: Element, attributes: Attributes): void {
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") element.addEventListener(name.slice(2), value as EventListener);
    else if (value === true) element.setAttribute(name, "");
    else if (value !== undefined && value !== false) element.setAttribute(name, String(value));
  }
}

/** The head of a column, and what it has. */
export function columnHead(name: Child, title?: string): HTMLElement {
  return h("th", { scope: "col", title: title || undefined }, name);
}

export function table(
  columns: readonly Child[],
  body: HTMLElement,
  attributes: Attributes = {},
): HTMLTableElement {
  const head = columns.map((each) => (typeof each === "string" ? columnHead(each) : each));
  return h("table", attributes, h("thead", h("tr", ...head)), body);
}

export function row(name: Child, ...cells: readonly Child[]): HTMLTableRowElement {
  return h("tr", h("th", { scope: "row" }, name), ...cells.map((cell) => h("td", cell)));
}

/** A word with a sign, readable without colour. */
export function chip(kind: string, sign: string, text: string, title?: string): HTMLElement {
  return h("span", { class: `chip ${kind}`, title }, h("span", { "aria-hidden": "true" }, sign), ` ${text}`);
}

/** A part that opens with a click. */
export function details(summary: string, ...content: readonly (Child | Attributes)[]): HTMLDetailsElement {
  return h("details", h("summary", summary), ...content);
}

/** Milliseconds within which the second click must come. */
const SURE_MS = 4000;

/** A button that takes a second click. */
export function sureButton(text: string, question: string, title: string, run: () => void): HTMLElement {
  let end: ReturnType<typeof setTimeout> | undefined;
  const forget = () => {
    clearTimeout(end);
    end = undefined;
    setText(button, text);
  };
  const onclick = () => {
    if (end === undefined) {
      setText(button, question);
      end = setTimeout(forget, SURE_MS);
    } else {
      forget();
      run();
    }
  };
  const button = h("button", { title, onclick }, text);
  return button;
}

export function nodeLink(node: string, attributes: Attributes = {}): HTMLElement {
  return h("a", { href: `#/node/${encodeURIComponent(node)}`, ...attributes }, node);
}

/** Sets an element's text, where it is another. */
export function setText(element: Element, text: string): void {
  if (element.textContent !== text) element.textContent = text;
}

/** Replaces an element's children if they differ. */
export function setChildren(element: Element, ...children: readonly Node[]): void {
  const now = element.childNodes;
  if (now.length === children.length && children.every((child, i) => now[i] === child)) return;
  element.replaceChildren(...children);
}

/** Replaces an element's children where they look different, so that what has the focus or the pointer stays. */
export function renew(element: Element, ...children: readonly HTMLElement[]): void {
  const look = (all: Iterable<Element>) =>
    [...all].map(({ className, textContent }) => `${className} ${textContent}`).join("\n");
  if (look(element.children) !== look(children)) element.replaceChildren(...children);
}

/** An element of a picture. */
export function svg<K extends keyof SVGElementTagNameMap>(
  tag: K,
  attributes: { readonly [name: string]: string | number },
  ...children: readonly (Node | undefined)[]
): SVGElementTagNameMap[K] {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, String(value));
  element.append(...children.filter((child) => child !== undefined));
  return element;
}

/** A line through values 0..1 from left to right. */
export function sparkline(values: readonly number[], width = 90, height = 22): SVGSVGElement {
  const step = width / Math.max(1, values.length - 1);
  const points = values.map(
    (value, i) => `${(i * step).toFixed(1)},${(1 + (1 - value) * (height - 2)).toFixed(1)}`,
  );
  const line = svg("polyline", { points: points.join(" ") });
  return svg("svg", { viewBox: `0 0 ${width} ${height}`, class: "spark", "aria-hidden": "true" }, line);
}

const colours = new Map<string, string>();

/** The colour that a custom property of the style sheet has in the page's present scheme, light or dark. */
export function resolvedColour(name: string): string {
  let value = colours.get(name);
  if (value === undefined) {
    const probe = h("span", { hidden: "" });
    probe.style.color = `var(${name})`;
    document.body.append(probe);
    value = getComputedStyle(probe).color;
    probe.remove();
    colours.set(name, value);
  }
  return value;
}

export function forgetColours(): void {
  colours.clear();
}

export function save(name: string, content: Blob): void {
  const url = URL.createObjectURL(content);
  h("a", { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
