import type { WriteStream } from "node:tty";
import { printable, printableJson } from "../../host/printable.ts";
import { draw, type Scene } from "./screen.ts";
import type { NodeEvent } from "./status.ts";
import { happeningText, statusRows, summaryText } from "./status-text.ts";
import { showsUnicode, Terminal } from "./terminal.ts";

/** A monitor's picture at one time. */
type Picture = Omit<Scene, "notice">;

export interface Output {
  /** Milliseconds between two pictures. */
  readonly everyMs: number;
  happened(happening: NodeEvent): void;
  show(picture: Picture): void;
  close(): void;
}

const MONITOR_SCHEMA = "motelearn.monitor/1";

/**
 * One JSON object a line, each with `schema`, `type`, `time` (milliseconds since 1970-01-01 UTC) and `port`.
 */
export function jsonOutput(port: string, everyMs: number, write: (text: string) => void): Output {
  const line = (body: { readonly type: string }) =>
    write(`${printableJson({ schema: MONITOR_SCHEMA, time: Date.now(), port, ...body })}\n`);
  return {
    everyMs,
    happened: line,
    show: ({ seconds, status }) => line({ type: "status", seconds, ...status } as { type: "status" }),
    close: () => {},
  };
}

/** A line of text for each event, and one for each picture. */
export function textOutput(everyMs: number, write: (text: string) => void): Output {
  const line = (text: string) => write(`${new Date().toISOString().slice(11, 19)}  ${printable(text)}\n`);
  return {
    everyMs,
    happened: (happening) => line(happeningText(happening)),
    show: ({ status }) => {
      if (!status.node) return;
      line(
        statusRows(status)
          .slice(0, 5)
          .map(({ name, parts }) => `${name} ${parts.slice(0, 3).join(", ")}`)
          .join("; "),
      );
    },
    close: () => {},
  };
}

/** The whole terminal, redrawn as things change; on exit the last status stays on the normal screen. */
export function screenOutput(out: WriteStream, everyMs: number): Output {
  let notice = "";
  let last: Picture | undefined;
  const unicode = showsUnicode(process.env);
  const redraw = () => {
    if (!last) return;
    const { columns = 80, rows = 24 } = out;
    terminal.show(draw({ ...last, notice }, { columns, rows, unicode }));
  };
  const terminal = new Terminal(out, redraw);
  return {
    everyMs,
    happened: (happening) => {
      notice = happeningText(happening);
      redraw();
    },
    show: (picture) => {
      last = picture;
      redraw();
    },
    close: () => {
      terminal.close();
      if (last) out.write(summaryText(last.port, last.status));
    },
  };
}
