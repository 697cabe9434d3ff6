import type { NodeState } from "../api/node-state.ts";
import { forgetColours, h, row, setText } from "./dom.ts";
import type { Source, SourceEvents } from "./source.ts";

export interface View extends SourceEvents {
  readonly title: string;
  readonly element: HTMLElement;
  /** Called for each frame; returns whether it drew anything. */
  frame?(): boolean;
  /** Takes a key press that no field takes; returns whether it had a meaning. */
  key?(event: KeyboardEvent): boolean;
  /** The keys' meanings, for people. */
  readonly keys?: readonly (readonly [key: string, text: string])[];
  close?(): void;
  /** Colours are others. */
  recolour?(): void;
}

/** Makes the view for an address; undefined: there is none. `query`: the address' query string. */
export type Route = (app: App, path: string, query: URLSearchParams) => View | undefined;

const THEMES = ["auto", "light", "dark"] as const;
const NAME_KEY = "motelearn.name";
const THEME_KEY = "motelearn.theme";
const KEYS = [
  ["O", "overview"],
  ["A", "alarms"],
  ["Q", "questions"],
  ["?", "these keys"],
] as const;

/** What a view's link counts, by its address. */
const COUNTS: { readonly [address: string]: (state: NodeState) => number } = {
  "#/alarms": ({ alarms = [] }) => alarms.filter(({ on }) => on).length,
  "#/label": ({ asking }) => asking,
  "#/groups": ({ together }) => Number(together?.isTrusted === false),
};

/** The views that not every fleet has, by their addresses: whether a node's state shows that its fleet has it. */
const SHOWN_BY: { readonly [address: string]: (state: NodeState) => boolean } = {
  "#/groups": ({ together }) => together !== undefined,
};

/** The page: its head, the view that its address names, keys, colours. */
export class App {
  /** Pictures that were drawn, for benchmarks. */
  frames = 0;
  private view: View | undefined;
  private readonly main = h("main", { id: "main", tabindex: -1 });
  private readonly status = h("span.status", { role: "status" });
  private readonly nav = h("nav", { "aria-label": "views" });
  private readonly help = h("dialog", { "aria-label": "keys" });

  constructor(
    readonly source: Source,
    private readonly route: Route,
    links: readonly (readonly [text: string, address: string])[],
  ) {
    this.nav.append(...links.map(([text, address]) => h("a", { href: address, "data-name": text }, text)));
    const skip = h("a.skip", { href: "#main" }, "to the content");
    skip.addEventListener("click", (event) => {
      event.preventDefault();
      this.main.focus();
    });
    const header = h(
      "header",
      h("a.brand", { href: "#/" }, "Motelearn"),
      this.nav,
      this.status,
      this.themeButton(),
      h("button", { title: "what the keys do (?)", onclick: () => this.showHelp() }, "Keys"),
    );
    const root = document.getElementById("app") as HTMLElement;
    root.append(skip, header, this.main, this.help);
    source.on({
      states: () => {
        this.say();
        this.view?.states?.();
      },
      rows: (node, rows) => this.view?.rows?.(node, rows),
      event: (event) => this.view?.event?.(event),
      label: (label) => this.view?.label?.(label),
      answer: (answer) => this.view?.answer?.(answer),
    });
    addEventListener("hashchange", () => {
      this.show();
      this.main.focus({ preventScroll: true }); // else a key begins again at the top of the page
    });
    addEventListener("keydown", (event) => this.key(event));
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.recolour());
    this.say();
    this.show();
    const frame = () => {
      requestAnimationFrame(frame);
      if (this.view?.frame?.()) this.frames++;
    };
    frame();
  }

  /** Who labels here. */
  get name(): string {
    return readKept(NAME_KEY);
  }

  set name(name: string) {
    keep(NAME_KEY, name);
  }

  /** The node's last state; undefined: the source has none. */
  findState(node: string): NodeState | undefined {
    return this.source.states?.find(({ name }) => name === node);
  }

  go(address: string): void {
    location.hash = address;
  }

  private show(): void {
    const [path, query = ""] = location.hash.replace(/^#/, "").split("?");
    this.view?.close?.();
    this.view = undefined;
    const view = this.route(this, path || "/", new URLSearchParams(query));
    this.view = view;
    const missing = h("p.empty", "There is no such view. ", h("a", { href: "#/" }, "To the overview"));
    this.main.replaceChildren(view?.element ?? missing);
    document.title = view ? `${view.title} – Motelearn` : "Motelearn";
    for (const link of this.nav.querySelectorAll("a")) {
      const here = link.getAttribute("href")?.split("?")[0] === `#${path || "/"}`;
      if (here) link.setAttribute("aria-current", "page");
      else link.removeAttribute("aria-current");
    }
    scrollTo(0, 0);
    view?.states?.();
  }

  private say(): void {
    const { lost, states } = this.source;
    setText(this.status, lost ?? (states ? "connected" : "connecting"));
    this.status.classList.toggle("bad", lost !== undefined);
    this.status.classList.toggle("waiting", states === undefined);
    for (const link of this.nav.querySelectorAll("a")) this.count(link, states ?? []);
  }

  /** Shows beside the name of a view how much waits there, where the fleet has that view. */
  private count(link: HTMLAnchorElement, states: readonly NodeState[]): void {
    const text = link.dataset.name ?? "";
    const address = link.getAttribute("href") ?? "";
    link.hidden = SHOWN_BY[address] !== undefined && !states.some(SHOWN_BY[address]);
    const of = COUNTS[address];
    const count = of ? states.reduce((sum, state) => sum + of(state), 0) : 0;
    setText(link, count > 0 ? `${text} ${count}` : text);
  }

  private key(event: KeyboardEvent): void {
    const { target, ctrlKey, metaKey, altKey, key } = event;
    const field = target as HTMLElement;
    if (ctrlKey || metaKey || altKey || this.help.open || /^(INPUT|SELECT|TEXTAREA)$/.test(field.tagName))
      return;
    // Space and Enter press the button that has the focus.
    if ((key === " " || key === "Enter") && /^(BUTTON|A|SUMMARY)$/.test(field.tagName)) return;
    if (this.view?.key?.(event)) event.preventDefault();
    else if (key === "o") this.go("#/");
    else if (key === "q") this.go("#/label");
    else if (key === "a" && this.source.alarms) this.go("#/alarms");
    else if (key === "?") this.showHelp();
  }

  private showHelp(): void {
    const rows = [...(this.view?.keys ?? []), ...KEYS].map(([key, text]) => row(h("kbd", key), text));
    const close = h("button", { onclick: () => this.help.close() }, "Close");
    this.help.replaceChildren(h("h2", "Keys"), h("table", ...rows), close);
    this.help.showModal();
  }

  private recolour(): void {
    forgetColours();
    this.view?.recolour?.();
  }

  private themeButton(): HTMLElement {
    const apply = (theme: string) => {
      if (theme === "auto") delete document.documentElement.dataset.theme;
      else document.documentElement.dataset.theme = theme;
      setText(button, `Colours: ${theme}`);
      this.recolour();
    };
    const next = () => {
      const theme = THEMES[(THEMES.indexOf(current() as "auto") + 1) % THEMES.length];
      keep(THEME_KEY, theme);
      apply(theme);
    };
    const current = () => THEMES.find((theme) => theme === readKept(THEME_KEY)) ?? "auto";
    const button = h("button", { title: "light, dark, or as the system has it", onclick: next });
    apply(current());
    return button;
  }
}

/** Sets the page's labeller before it shows anything. */
export function rememberName(name: string): void {
  keep(NAME_KEY, name);
}

/** The value stored in this browser; "" if there is none. */
function readKept(key: string): string {
  try {
    return localStorage.getItem(key) ?? "";
  } catch {
    return "";
  }
}

function keep(key: string, value: string): void {
  try {
    localStorage.setItem(key, value);
  } catch {} // it holds until the page is closed
}
