import type { ServerResponse } from "node:http";
import { printableJson } from "../../host/printable.ts";
import type { Caller } from "../access/access.ts";
import type { LiveAnswer, LiveEvent, LiveLabel, LiveRow } from "../api/api.ts";
import type { NodeState } from "../api/node-state.ts";

const ROWS_MS = 100;
const STATES_MS = 1000;
/** Milliseconds between two states, for each node: larger fleets send states less often. */
const STATES_MS_PER_NODE = 10;
const WATCHERS_MAX = 64;
/** Of one user, so that nobody takes the others' places. */
const WATCHERS_OF_USER_MAX = 16;
/** A watcher with more unread data gets nothing until it has caught up; the history has what it missed. */
const BACKLOG_MAX = 1 << 20;

/** Who looks: "" where there are no users. `valid` is false once its right to look has ended. */
type Viewer = Pick<Caller, "name" | "valid">;

interface Watcher {
  readonly response: ServerResponse;
  /** The nodes whose samples it watches. */
  readonly nodes: ReadonlySet<string>;
  readonly caller: Viewer;
  /** Batches of rows, labels, answers and events that it didn't get. */
  missed: number;
}

/**
 * Sends the nodes' messages to pages live, as Server-Sent Events: `states`, `rows`, `event`, `label`,
 * `answer`. Without watchers it costs nothing.
 */
export class Live {
  private readonly watchers = new Set<Watcher>();
  private rows = new Map<string, Map<number, LiveRow>>();
  private timers: NodeJS.Timeout[] = [];

  constructor(private readonly states: () => readonly NodeState[]) {}

  sample(node: string, sid: number, seq: number, x: Float32Array): void {
    if (this.wants(node)) this.liveRow(node, sid, seq)[5] = Array.from(x);
  }

  /** @param half half width of the interval that was issued; undefined: none was. */
  prediction(
    node: string,
    sid: number,
    seq: number,
    decision: number,
    remarks: number,
    half: number | undefined,
  ): void {
    if (!this.wants(node)) return;
    const row = this.liveRow(node, sid, seq);
    row[3] = Number.isFinite(decision) ? decision : null;
    row[4] = remarks;
    if (half !== undefined) row[6] = half;
  }

  event(event: LiveEvent): void {
    this.toAll("event", event);
  }

  answer(answer: LiveAnswer): void {
    this.toAll("answer", answer);
  }

  label(label: LiveLabel): void {
    this.toAll("label", label);
  }

  /** Answers a request with the stream, or returns a text: why not. */
  join(response: ServerResponse, nodes: ReadonlySet<string>, caller: Viewer): string | undefined {
    const { watchers } = this;
    // One that waits for another's end never hears of its connection's.
    if (!response.socket) return "another answer comes first on this connection; open one of its own";
    if (watchers.size >= WATCHERS_MAX) return "too many pages look already";
    const own = [...watchers].filter((each) => each.caller.name === caller.name);
    if (caller.name !== "" && own.length >= WATCHERS_OF_USER_MAX)
      return `${caller.name} looks at ${own.length} pages already; close one`;
    response.writeHead(200, {
      "content-type": "text/event-stream",
      "cache-control": "no-store",
      "x-content-type-options": "nosniff",
    });
    const watcher = { response, nodes, caller, missed: 0 };
    response.write("retry: 1000\n\n");
    this.send(watcher, eventText("states", this.statesBody(watcher)));
    if (watchers.size === 0) this.begin();
    watchers.add(watcher);
    response.on("close", () => {
      watchers.delete(watcher);
      if (watchers.size === 0) this.close();
    });
    return undefined;
  }

  close(): void {
    for (const timer of this.timers) clearInterval(timer);
    this.timers = [];
    this.rows.clear();
    for (const { response } of this.watchers) response.end();
  }

  private begin(): void {
    const statesMs = Math.max(STATES_MS, STATES_MS_PER_NODE * this.states().length);
    this.timers = [
      setInterval(() => this.sendRows(), ROWS_MS),
      setInterval(() => this.sendStates(), statesMs),
    ];
  }

  private wants(node: string): boolean {
    for (const { nodes } of this.watchers) if (nodes.has(node)) return true;
    return false;
  }

  private liveRow(node: string, sid: number, seq: number): LiveRow {
    let rows = this.rows.get(node);
    if (!rows) {
      rows = new Map();
      this.rows.set(node, rows);
    }
    let row = rows.get(seq);
    if (!row) {
      row = [Date.now(), sid, seq, null, -1, null];
      rows.set(seq, row);
    }
    return row;
  }

  private sendRows(): void {
    const { rows } = this;
    if (rows.size === 0) return;
    this.rows = new Map();
    const texts = new Map<string, string>();
    for (const [node, its] of rows)
      texts.set(node, `${printableJson(node)}:${printableJson([...its.values()])}`);
    for (const watcher of this.watchers) {
      const parts = [...texts].filter(([node]) => watcher.nodes.has(node)).map(([, text]) => text);
      if (parts.length > 0) this.sendUnlessSlow(watcher, `event: rows\ndata: {${parts.join()}}\n\n`);
    }
  }

  private sendStates(): void {
    for (const watcher of this.watchers) {
      if (!watcher.caller.valid()) watcher.response.end();
      if (watcher.response.writableLength > BACKLOG_MAX) continue;
      this.send(watcher, eventText("states", this.statesBody(watcher)));
      watcher.missed = 0;
    }
  }

  private statesBody({ missed }: Watcher) {
    return { time: Date.now(), missed, nodes: this.states() };
  }

  private toAll(name: string, body: object): void {
    if (this.watchers.size === 0) return;
    const text = eventText(name, body);
    for (const watcher of this.watchers) this.sendUnlessSlow(watcher, text);
  }

  private sendUnlessSlow(watcher: Watcher, text: string): void {
    if (watcher.response.writableLength > BACKLOG_MAX) watcher.missed++;
    else this.send(watcher, text);
  }

  /** What was ended isn't gone yet; to write to it would be an error. */
  private send({ response }: Watcher, text: string): void {
    if (!response.writableEnded) response.write(text);
  }
}

function eventText(name: string, body: object): string {
  return `event: ${name}\ndata: ${printableJson(body)}\n\n`;
}
