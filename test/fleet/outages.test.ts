import { test } from "uvu";
import * as assert from "uvu/assert";
import { Outages } from "../../fleet/gateway/outages.ts";

const BROKER = "mqtt://broker:1883";
const REFUSED = "nothing listens there";

/** Outages whose lines and time a test has in hand. */
class Watched {
  readonly lines: string[] = [];
  now = 0;
  private due: { readonly at: number; readonly act: () => void }[] = [];
  readonly outages = new Outages({
    say: (level, event, text) => this.lines.push(`${level} ${event} ${text}`),
    now: () => this.now,
    after: (ms, act) => {
      const timer = { at: this.now + ms, act };
      this.due.push(timer);
      return () => {
        this.due = this.due.filter((each) => each !== timer);
      };
    },
  });

  pass(ms: number): void {
    this.now += ms;
    for (const { at, act } of [...this.due]) if (at <= this.now) act();
  }

  get timers(): number {
    return this.due.length;
  }
}

const NAMES = Array.from({ length: 10_000 }, (_, i) => `node-${i + 1}`);

test("10,000 nodes lose their broker and get it back: three lines", () => {
  const all = new Watched();
  for (const name of NAMES) assert.ok(all.outages.lost(BROKER, name, "the broker closed the connection"));
  for (const name of NAMES) assert.ok(all.outages.lost(BROKER, name, REFUSED), "tried again, in vain");
  all.pass(12_000);
  for (const name of NAMES) assert.ok(all.outages.back(BROKER, name));
  assert.equal(all.lines, [
    `warn broker-lost ${BROKER}: the broker closed the connection; its nodes have no line until it is back`,
    `info broker-back ${BROKER}: back after 12 s; 10000 nodes had no line`,
    `info broker-back ${BROKER}: all 10000 nodes are back`,
  ]);
  assert.is(all.timers, 0);
  assert.not.ok(all.outages.back(BROKER, "node-1"), "it is over: further lines are the node's own");
  assert.not.ok(all.outages.lost(BROKER, "node-1", undefined), "as where one node leaves alone");
});

test("nodes that don't come back with their broker are counted, and three of them named", () => {
  const watched = new Watched();
  const { outages, lines } = watched;
  for (const name of NAMES) outages.lost(BROKER, name, REFUSED);
  for (const name of NAMES.slice(5)) outages.back(BROKER, name);
  for (const name of NAMES.slice(0, 5))
    assert.ok(outages.lost(BROKER, name, undefined), "it isn't online yet");
  watched.pass(60_000);
  assert.is(
    lines.at(-1),
    `warn broker-back ${BROKER}: 5 of 10000 nodes aren't back: node-1, node-2, node-3 and 2 more`,
  );
  assert.is(lines.length, 3);
  assert.not.ok(outages.back(BROKER, "node-1"), "later it says so itself");
});

test("a broker that knows none of its nodes is back, too", () => {
  const watched = new Watched();
  for (const name of ["a", "b"]) watched.outages.lost(BROKER, name, REFUSED);
  for (const name of ["a", "b"]) assert.ok(watched.outages.lost(BROKER, name, undefined));
  watched.pass(60_000);
  assert.equal(watched.lines.slice(1), [
    `info broker-back ${BROKER}: back after 0 s; 2 nodes had no line`,
    `warn broker-back ${BROKER}: 2 of 2 nodes aren't back: a, b`,
  ]);
});

test("a broker that goes again while its nodes come back is another outage, and another broker is none", () => {
  const watched = new Watched();
  const { outages, lines } = watched;
  for (const name of ["a", "b", "c"]) outages.lost(BROKER, name, REFUSED);
  outages.back(BROKER, "a");
  assert.not.ok(outages.lost("mqtt://other:1883", "x", undefined));
  outages.lost(BROKER, "a", REFUSED);
  watched.pass(61_000);
  for (const name of ["a", "b", "c"]) outages.back(BROKER, name);
  assert.equal(
    lines.map((line) => line.split(`${BROKER}: `)[1]),
    [
      `${REFUSED}; its nodes have no line until it is back`,
      "back after 0 s; 3 nodes had no line",
      `${REFUSED}; its nodes have no line until it is back`,
      "back after 61 s; 3 nodes had no line",
      "all 3 nodes are back",
    ],
  );
});

test("a gateway that ends leaves no timer", () => {
  const watched = new Watched();
  watched.outages.lost(BROKER, "a", REFUSED);
  watched.outages.lost(BROKER, "b", REFUSED);
  watched.outages.back(BROKER, "a");
  assert.is(watched.timers, 1);
  watched.outages.end();
  assert.is(watched.timers, 0);
});

test.run();
