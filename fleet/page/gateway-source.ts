import type { LiveAnswer, LiveEvent, LiveLabel, LiveRow } from "../api/api.ts";
import type { Command } from "../api/command-request.ts";
import type { NodeState } from "../api/node-state.ts";
import type { AnswerOf, BodyOf, QueryOf, RouteName } from "../api/routes.ts";
import { answerTo, repeatable } from "./again.ts";
import { type PageSession, sessionNow } from "./login.ts";
import { type Answer, Listeners, type Source, type SourceEvents } from "./source.ts";

/** Silence after which the stream is reopened, though states come every 1 to 10 s. */
const SILENCE_MS = 25_000;
const LOOK_MS = 1000;
/** A label that comes again changes nothing. */
const LABELS = "POST /api/nodes/{node}/labels";

interface RouteRequest<R extends RouteName> {
  readonly node?: string;
  readonly query?: Partial<QueryOf<R>>;
  readonly body?: Partial<BodyOf<R>>;
}

const SLOW = "this page was too slow for the gateway; it asks for what it missed";
const NO_CONNECTION = "no connection to the gateway; trying again";

/** The nodes of the gateway that served this page. */
export class GatewaySource implements Source {
  states: readonly NodeState[] | undefined;
  lost: string | undefined;
  streaming = false;
  private readonly listeners = new Listeners();
  private stream: EventSource | undefined;
  private watched: readonly string[] = [];
  private offset = 0;
  private heardAt = performance.now();

  constructor(private readonly session: PageSession) {
    this.open();
    setInterval(() => this.look(), LOOK_MS);
  }

  get labellerName(): Source["labellerName"] {
    const { users, askName } = this.session;
    return users ? "login" : askName ? "asked" : "free";
  }

  get mayOperate(): boolean {
    const { users, role } = this.session;
    return !users || role === "operate";
  }

  now(): number {
    return Date.now() + this.offset;
  }

  on(listener: SourceEvents): () => void {
    return this.listeners.add(listener);
  }

  watch(nodes: readonly string[]): void {
    if (nodes.join("\n") === this.watched.join("\n")) return;
    this.watched = [...nodes];
    this.open();
  }

  history(node: string, from: number, to: number, points: number) {
    const query = { from: Math.floor(from), to: Math.ceil(to), points: Math.round(points) };
    return this.ask("GET /api/nodes/{node}/history", { node, query });
  }

  async questions(node: string) {
    return (await this.ask("GET /api/nodes/{node}/questions", { node })).questions;
  }

  async near(node: string, sid: number, seq: number) {
    return (await this.ask("GET /api/nodes/{node}/near", { node, query: { sid, seq } })).near;
  }

  around(node: string, sid: number, seq: number) {
    return this.ask("GET /api/nodes/{node}/around", { node, query: { sid, seq } });
  }

  explain(node: string, sid: number, seq: number) {
    return this.ask("GET /api/nodes/{node}/explanation", { node, query: { sid, seq } });
  }

  alarms() {
    return this.ask("GET /api/alarms", {});
  }

  async groups() {
    return (await this.ask("GET /api/together", {})).groups;
  }

  async turnGroup(group: number, on: boolean, by: string) {
    return (await this.ask("POST /api/together", { body: { group, on, by } })).groups;
  }

  async labellers() {
    return (await this.ask("GET /api/labellers", {})).labellers;
  }

  async command(node: string, body: Command): Promise<string> {
    return (await this.ask("POST /api/nodes/{node}/commands", { node, body })).text;
  }

  async copies(node: string) {
    const answer = await this.ask("GET /api/nodes/{node}/copies", { node });
    return "copies" in answer ? answer.copies : [];
  }

  copyAddress(node: string, id: number): string {
    return routeAddress("/api/nodes/{node}/copies", { node, query: { id } });
  }

  configuration(node: string) {
    return this.ask("GET /api/nodes/{node}/configuration", { node });
  }

  label(node: string, body: Answer): Promise<string | undefined> {
    return this.ask(LABELS, { node, body }).then(
      () => undefined,
      ({ message }: Error) => message,
    );
  }

  private async ask<R extends RouteName>(route: R, options: RouteRequest<R>): Promise<AnswerOf<R>> {
    const [method, path] = route.split(" ");
    const { csrf } = this.session;
    const headers = { "content-type": "application/json", ...(csrf && { "x-csrf-token": csrf }) };
    const sent = options.body && { headers, body: JSON.stringify(options.body), keepalive: true };
    const send = () => fetch(routeAddress(path, options), { method, ...sent });
    const response = await answerTo(route === LABELS ? repeatable(send) : send);
    const body = await response.json();
    if (!response.ok) throw new Error((body as { error: string }).error);
    return body;
  }

  /** The browser reopens an ended stream; `look` reopens a refused or hanging one. */
  private open(): void {
    this.stream?.close();
    this.streaming = false;
    const query = this.watched.map((node) => `node=${encodeURIComponent(node)}`).join("&");
    const stream = new EventSource(`/api/live?${query}`);
    this.stream = stream;
    this.heardAt = performance.now();
    stream.onerror = () => this.reportLost(NO_CONNECTION);
    this.listen("states", ({ time, missed, nodes }: { time: number; missed: number; nodes: NodeState[] }) => {
      if (missed > 0) this.reportLost(SLOW);
      this.offset = time - Date.now();
      this.states = nodes;
      this.streaming = true;
      this.lost = undefined;
      this.listeners.emit("states");
    });
    this.listen("rows", (rows: { [node: string]: LiveRow[] }) => {
      for (const [node, its] of Object.entries(rows)) this.listeners.emit("rows", node, its);
    });
    this.listen("event", (event: LiveEvent) => this.listeners.emit("event", event));
    this.listen("answer", (answer: LiveAnswer) => this.listeners.emit("answer", answer));
    this.listen("label", (label: LiveLabel) => this.listeners.emit("label", label));
  }

  private listen<T>(name: string, take: (body: T) => void): void {
    this.stream?.addEventListener(name, ({ data }) => {
      this.heardAt = performance.now();
      take(JSON.parse(data));
    });
  }

  private look(): void {
    const silent = performance.now() - this.heardAt > SILENCE_MS;
    if (silent || this.stream?.readyState === EventSource.CLOSED) {
      this.reportLost(NO_CONNECTION);
      this.open();
      void this.checkSession();
    }
  }

  /** Logs in again after the session has ended. */
  private async checkSession(): Promise<void> {
    const { users, name } = await sessionNow().catch(() => this.session);
    if (users && name === undefined) location.reload();
  }

  private reportLost(why: string): void {
    this.lost = why;
    this.streaming = false;
    this.listeners.emit("states");
  }
}

function routeAddress(path: string, { node = "", query = {} }: RouteRequest<RouteName>): string {
  const pairs = Object.entries(query).map(([name, value]) => `${name}=${value}`);
  return `${path.replace("{node}", encodeURIComponent(node))}${pairs.length > 0 ? `?${pairs.join("&")}` : ""}`;
}
