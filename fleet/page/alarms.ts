import { countText } from "../../host/count-text.ts";
import type { LiveEvent } from "../api/api.ts";
import type { NodeAlarm } from "../api/node-state.ts";
import type { App, View } from "./app.ts";
import { chip, details, h, nodeLink, row, setText, table } from "./dom.ts";
import { alarmText } from "./machine-state.ts";
import { dateText, sinceText } from "./wording.ts";

const REFRESH_MS = 5000;
const CHANGES_SHOWN = 30;

/** All alarms, those that are on first, and what switched last. */
export class Alarms implements View {
  readonly title = "Alarms";
  readonly element: HTMLElement;
  private readonly heading = h("h1.summary", "Waiting for the gateway…");
  private readonly on = h("ul.alarms");
  private readonly off = h("tbody");
  private readonly quiet: HTMLElement;
  private readonly changes = h("ul.events");
  private readonly timer = setInterval(() => void this.refresh(), REFRESH_MS);

  constructor(private readonly app: App) {
    const off = table(["Machine", "Alarm", "Off since"], this.off);
    this.quiet = details("Alarms that are off", h("div.wide", off));
    this.element = h(
      "div.alarm-view",
      this.heading,
      this.on,
      h("h2", "What changed last"),
      this.changes,
      this.quiet,
    );
    app.source.watch([]);
    void this.refresh();
  }

  event({ kind }: LiveEvent): void {
    if (kind.startsWith("alarm")) void this.refresh();
  }

  close(): void {
    clearInterval(this.timer);
  }

  private async refresh(): Promise<void> {
    try {
      const { alarms = [], changes = [] } = (await this.app.source.alarms?.()) ?? {};
      this.show(alarms, changes);
    } catch {} // the head of the page says that the source is lost; this asks again
  }

  private show(alarms: readonly NodeAlarm[], changes: readonly LiveEvent[]): void {
    const now = this.app.source.now();
    const on = alarms.filter((alarm) => alarm.on).sort((a, b) => (b.since ?? 0) - (a.since ?? 0));
    const off = alarms.filter((alarm) => !alarm.on);
    const none = alarms.length === 0 ? "The fleet file has no alarms" : "No alarm is on";
    setText(this.heading, on.length === 0 ? none : `${countText(on.length, "alarm")} on`);
    this.on.replaceChildren(...on.map((alarm) => onItem(alarm, now)));
    this.quiet.hidden = off.length === 0;
    this.off.replaceChildren(...off.map((alarm) => offRow(alarm, now)));
    const items = changes.slice(0, CHANGES_SHOWN).map(changeItem);
    this.changes.replaceChildren(...(items.length > 0 ? items : [h("li", "nothing yet")]));
  }
}

function onItem({ node, name, since, class: current }: NodeAlarm, now: number): HTMLElement {
  const told = [
    since !== undefined && `since ${sinceText(since, now)}`,
    current && `the machine is ${current}`,
  ];
  return h(
    "li",
    h("b", nodeLink(node)),
    chip("alarm", "⚠", alarmText(name)),
    h("span.since", told.filter(Boolean).join("; ")),
  );
}

function offRow({ node, name, since }: NodeAlarm, now: number): HTMLElement {
  const when = since === undefined ? "it was never on" : sinceText(since, now);
  return row(nodeLink(node), alarmText(name), when);
}

function changeItem({ node, time, text }: LiveEvent): HTMLElement {
  return h("li", h("time", dateText(time)), nodeLink(node), ` ${text}`);
}
