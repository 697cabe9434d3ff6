import stringWidth from "string-width";
import { printable } from "../../host/printable.ts";
import { AXIS, chart } from "./chart.ts";
import type { Prequential } from "./prequential.ts";
import type { Status } from "./status.ts";
import { gauge, nodeParts, type StatusRow, statusRows } from "./status-text.ts";

/** A line of the screen. `name`: how many characters at its beginning name it. */
export interface ScreenLine {
  readonly text: string;
  readonly name?: number;
  readonly style?: "title" | "bad" | "quiet" | "curve";
}

/** What a screen shows. */
export interface Scene {
  readonly port: string;
  readonly seconds: number;
  readonly status: Status;
  readonly prequential: Prequential;
  readonly marks: readonly number[];
  /** The last event, in words. */
  readonly notice: string;
}

export interface Size {
  readonly columns: number;
  readonly rows: number;
  /** True if the terminal shows more than ASCII. */
  readonly unicode: boolean;
}

const NAME = 11;
const KEYS = "m mark   c checkpoint   q quit";
const CHART_MIN = 3;
const CHART_MAX = 24;
const GAUGE = 20;

/** The text's beginning that so many columns of a terminal show. */
function cut(text: string, columns: number): string {
  let shown = "";
  for (const character of text) {
    if (stringWidth(shown + character) > columns) break;
    shown += character;
  }
  return shown;
}

/** As many parts as fit in the width; the first is cut if it doesn't. */
function fitWidth(parts: readonly string[], width: number): string {
  let text = parts[0] ?? "";
  for (const part of parts.slice(1)) {
    if (stringWidth(text) + 2 + stringWidth(part) > width) break;
    text += `  ${part}`;
  }
  return cut(text, width);
}

function clock(seconds: number): string {
  const whole = Math.floor(seconds);
  const two = (value: number) => String(value).padStart(2, "0");
  return `${Math.floor(whole / 3600)}:${two(Math.floor(whole / 60) % 60)}:${two(whole % 60)}`;
}

/** A line with text at its left and right ends. */
function spreadLine(left: string, right: string, width: number): string {
  const room = width - stringWidth(right) - 1;
  if (room < 8) return cut(left, width);
  const shown = cut(left, room);
  return `${shown}${" ".repeat(room - stringWidth(shown))} ${right}`;
}

function rowLine({ name, parts, bad }: StatusRow, { statistics }: Status, size: Size): ScreenLine {
  const { size: stored = 0, capacity = 0 } = statistics ?? {};
  const wide = name === "dictionary" && capacity > 0 && size.columns >= 64;
  const [full, empty] = size.unicode ? ["█", "░"] : ["#", "."];
  const bar = wide ? `${gauge(stored / capacity, GAUGE, full, empty)} ` : "";
  const text = `${name.padEnd(NAME)}${fitWidth([bar + parts[0], ...parts.slice(1)], size.columns - NAME)}`;
  return { text, name: NAME, ...(bad && { style: "bad" }) };
}

/** The lines of a screen of that size: as many figures as fit beside the curve. */
export function draw(scene: Scene, size: Size): ScreenLine[] {
  const { status, port, seconds, notice, prequential, marks } = scene;
  const { columns, rows, unicode } = size;
  const state = status.link.open ? "open" : "LINK LOST";
  const figures = statusRows(status);
  const head: ScreenLine[] = [
    {
      text: spreadLine(printable(`motelearn ${port}`), `${state} ${clock(seconds)}`, columns),
      style: "title",
    },
    {
      text: fitWidth(nodeParts(status).map(printable), columns),
      ...(status.bits?.verdict === "different bits" && { style: "bad" }),
    },
  ];
  const foot: ScreenLine[] = [{ text: spreadLine(KEYS, "", columns), style: "quiet" }];
  if (rows >= 9) foot.unshift({ text: cut(printable(notice), columns), style: "quiet" });
  const room = rows - head.length - foot.length;
  const shown = figures.slice(0, Math.max(1, Math.min(figures.length, room - CHART_MIN)));
  const height = Math.min(CHART_MAX, room - shown.length);
  const curve = height >= CHART_MIN ? chart(prequential, marks, columns, height, unicode) : [];
  const body = [
    rowLine(shown[0], status, size),
    ...curve.map((text): ScreenLine => ({ text, name: AXIS, style: "curve" })),
    ...shown.slice(1).map((row) => rowLine(row, status, size)),
  ];
  const blank = Array.from({ length: Math.max(0, room - body.length) }, () => ({ text: "" }));
  return [...head, ...body, ...blank, ...foot].slice(0, rows);
}
