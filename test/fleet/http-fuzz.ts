/** Hostile requests to a gateway in this process, drawn by a seed: each is answered or cut, and none ends or holds it. */
import { connect, type Socket } from "node:net";
import * as assert from "uvu/assert";
import { ROUTE_LIST } from "../../fleet/api/routes.ts";
import { Random } from "../../host/random.ts";
import { HEARD, NODE_NAME, ServedGateway, SID } from "../tools/served-gateway.ts";

/** Requests at once; of these so many have a body that never comes whole. */
const TOGETHER = 25;
const STALLED = 2;
const NUMBERS = [
  ...[
    "0",
    "1",
    "7",
    "2000",
    "0.5",
    "-1",
    "-0",
    "1e9",
    "1e999",
    "4294967295",
    "4294967296",
    "NaN",
    "null",
    "",
  ],
  ...[
    "9007199254740991",
    "9007199254740992",
    "99999999999999999999",
    "0x10",
    " 5",
    "%00",
    "%ff",
    "[]",
    "true",
  ],
];
const NAMES = [
  "most",
  "from",
  "to",
  "points",
  "sid",
  "seq",
  "id",
  "node",
  "__proto__",
  "constructor",
  "a%5B%5D",
  "",
];
const NODES = [
  encodeURIComponent(NODE_NAME),
  "pump-1",
  "__proto__",
  "constructor",
  "%",
  "%2e%2e",
  "a".repeat(5000),
];
const VALUES = [
  ...["0", "1", "-1", "0.5", "1e999", "-1e39", "null", "true", '""', '"\\ud800"', "[]", "{}", "4294967296"],
  ...[`"${"x".repeat(65)}"`, "[".repeat(40), "1e-400", "-0", '"restore"', '"checkpoint"', '"__proto__"'],
];
const KEYS = [
  "seq",
  "label",
  "sid",
  "by",
  "source",
  "confidence",
  "do",
  "copy",
  "name",
  "password",
  "__proto__",
];

interface Attack {
  readonly text: string;
  /** Bytes that are sent before the connection is cut, by FIN or RST; undefined: all are. */
  readonly cut?: number;
  readonly rst?: boolean;
  /** It is all that comes, and the other end says so. */
  readonly ends?: boolean;
  /** The rest of the body never comes. */
  readonly stalls?: boolean;
  /** A label that the gateway may take. */
  readonly label?: { readonly seq: number; readonly y: number };
}

class Attacker {
  private readonly random: Random;

  constructor(seed: number) {
    this.random = new Random(seed);
  }

  next(): Attack {
    const kind = this.random.below(6);
    if (kind === 0) return this.label();
    if (kind === 1) return this.cut();
    if (kind === 2) return { text: this.garbage(), ends: true };
    return { text: kind === 3 ? this.post() : this.get() };
  }

  /** A POST whose body stops before its end. */
  stalled(): Attack {
    const text = this.writePost(
      "/labels",
      '{"seq": 1, "label"',
      this.random.below(2) === 0 ? 100 : undefined,
    );
    return { text: text.replace(/0\r\n\r\n$/, ""), stalls: true };
  }

  private pick<T>(all: readonly T[]): T {
    return all[this.random.below(all.length)];
  }

  private label(): Attack {
    const [seq, y] = [1 + this.random.below(HEARD), this.pick([-1, 1])];
    const body = JSON.stringify({ sid: SID, seq, label: y });
    return { text: this.writePost("/labels", body, body.length), label: { seq, y } };
  }

  private cut(): Attack {
    const attack = this.random.below(2) === 0 ? this.label() : { text: this.post() };
    const cut = 1 + this.random.below(attack.text.length - 1);
    return { text: attack.text, cut, rst: this.random.below(2) === 0 };
  }

  private get(): string {
    const { path, method } = this.pick(ROUTE_LIST);
    const count = this.random.below(4);
    const query = Array.from({ length: count }, () => `${this.pick(NAMES)}=${this.pick(NUMBERS)}`).join("&");
    const asked =
      this.random.below(8) === 0 ? this.pick(["PUT", "DELETE", "HEAD", "OPTIONS", "PATCH"]) : method;
    // A stream of events has no end.
    const where = path === "/api/live" ? "/api/live?x=1&" : `${path.replace("{node}", this.pick(NODES))}?`;
    return head(asked, `${where}${query}`, asked === "GET" ? [] : ["content-length: 0"]);
  }

  private post(): string {
    const pairs = Array.from(
      { length: this.random.below(5) },
      () => `"${this.pick(KEYS)}": ${this.pick(VALUES)}`,
    );
    const body = this.pick([`{${pairs}}`, pairs.join(), "x".repeat(this.pick([5000, 100_000]))]);
    return this.writePost(this.pick(["/labels", "/commands", "/history"]), body, body.length);
  }

  private garbage(): string {
    const length = 1 + this.random.below(300);
    return `${Array.from({ length }, () => String.fromCharCode(this.random.below(256))).join("")}\r\n\r\n`;
  }

  /** @param length that its head tells; undefined: it comes in chunks. */
  private writePost(what: string, body: string, length: number | undefined): string {
    const fields = ["content-type: application/json"];
    if (length === undefined) fields.push("transfer-encoding: chunked");
    else fields.push(`content-length: ${length}`);
    const chunked = length === undefined ? `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n` : body;
    return head("POST", `/api/nodes/${NODES[0]}${what}`, fields) + chunked;
  }
}

function head(method: string, path: string, fields: readonly string[]): string {
  return [`${method} ${path} HTTP/1.1`, "host: localhost", "connection: close", ...fields, "", ""].join(
    "\r\n",
  );
}

/** Sends it; resolves with the status, or with 0 where the connection ended without an answer. */
function send(port: number, { text, cut, rst, ends }: Attack): Promise<number> {
  return new Promise((done) => {
    let answer = "";
    const socket: Socket = connect(port, "127.0.0.1", () => {
      socket.write(Buffer.from(text.slice(0, cut), "latin1"), () => {
        if (rst) socket.resetAndDestroy();
        else if (ends || cut !== undefined) socket.end();
      });
    });
    socket.on("error", () => {});
    socket.on("data", (bytes) => {
      answer += bytes.toString("latin1");
    });
    socket.on("close", () => done(Number(/^HTTP\/1\.1 (\d{3})/.exec(answer)?.[1] ?? 0)));
  });
}

/**
 * Sends that many requests of a seed, some together. Afterwards the gateway answers, has no failure in its
 * log, and has each label on disk that it took.
 */
export async function fuzzHttp(seed: number, count: number): Promise<void> {
  const served = await ServedGateway.start(`fuzzed-${seed}`);
  const attacker = new Attacker(seed);
  const taken = new Map<number, number>();
  const statuses = new Map<number, number>();
  const attack = async (each: Attack) => {
    const status = await send(served.port, each);
    statuses.set(status, 1 + (statuses.get(status) ?? 0));
    if (each.stalls) assert.is(status, 408);
    if (each.label && status === 202) taken.set(each.label.seq, each.label.y);
    assert.ok(status < 500 || status === 503, `${status} to ${each.text.slice(0, 300)}`);
  };
  for (let sent = 0; sent < count; sent += TOGETHER) {
    const quick = Array.from({ length: TOGETHER - STALLED }, () => attack(attacker.next()));
    const stalled = Array.from({ length: STALLED }, () => attack(attacker.stalled()));
    await Promise.all(quick);
    await served.endLate(STALLED);
    await Promise.all(stalled);
  }
  assert.is((await fetch(`${served.url}/healthz`)).status, 200);
  assert.ok(
    [0, 202, 400, 408, 409].every((status) => (statuses.get(status) ?? 0) > 0),
    `${[...statuses]}`,
  );
  assert.equal(served.said, []);
  const kept = await served.close();
  for (const [seq, y] of taken) assert.is(kept.get(seq), y, `the label of sample ${seq}`);
  assert.ok(taken.size > 0);
}
