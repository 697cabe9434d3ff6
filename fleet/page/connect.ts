import type { App, View } from "./app.ts";
import { h, setText } from "./dom.ts";
import { BOARD, type SerialSource } from "./serial-source.ts";
import type { WebPort } from "./web-serial.ts";

const RATES = [115200, 230400, 460800, 921600, 1000000];
const KEY = /^[0-9a-f]{32}$/i;

interface WebSerial {
  requestPort(): Promise<WebPort>;
}

/** The browser's serial ports; undefined where it has none. */
function webSerial(): WebSerial | undefined {
  return (navigator as { serial?: WebSerial }).serial;
}

/** First contact: choose the port of a board, and look. */
export class Connect implements View {
  readonly title = "Connect";
  readonly element: HTMLElement;
  private readonly said = h("output", { "aria-live": "assertive" });
  private readonly rate = h(
    "select",
    { id: "rate" },
    ...RATES.map((rate) => h("option", { value: rate }, `${rate}`)),
  );
  private readonly key_ = h("input", { id: "key", autocomplete: "off", spellcheck: "false", size: 36 });

  constructor(
    private readonly app: App,
    private readonly source: SerialSource,
  ) {
    const able = webSerial() !== undefined;
    const connect = h("button.main", { onclick: () => this.connect() }, "Choose a board");
    const why = "This browser has no Web Serial. Chrome and Edge on a computer have it.";
    this.element = h(
      "div.connect",
      h("h1", "View a board"),
      h(
        "p",
        "Connect a board that runs a Motelearn node to this computer, and choose its port. Nothing leaves this page.",
      ),
      h("p", h("label", { for: "rate" }, "Bits a second "), this.rate),
      h("p", h("label", { for: "key" }, "Its key, if it has one: 32 hex digits "), this.key_),
      source.states && h("button", { onclick: () => this.release() }, "Release the port"),
      able ? connect : h("p.missing", why),
      this.said,
    );
  }

  private async release(): Promise<void> {
    await this.source.release();
    setText(this.said, "the port is free for other programs");
  }

  private async connect(): Promise<void> {
    const text = this.key_.value.trim();
    if (text && !KEY.test(text)) return setText(this.said, "a key has 32 hex digits");
    const bytes = text.match(/../g)?.map((digits) => Number.parseInt(digits, 16));
    setText(this.said, "");
    try {
      const port = await webSerial()?.requestPort();
      if (!port) return;
      await this.source.connect(port, Number(this.rate.value), bytes && Uint8Array.from(bytes));
      this.app.go(`#/node/${BOARD}`);
    } catch (error) {
      const { name, message } = error as Error;
      const isNone = name === "NotFoundError";
      setText(this.said, isNone ? "no port was chosen" : `the port can't be opened: ${message}`);
    }
  }
}
