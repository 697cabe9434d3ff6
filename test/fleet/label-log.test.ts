import { test } from "uvu";
import * as assert from "uvu/assert";
import { chooseOwner, GONE_MS, Membership } from "../../fleet/cluster/membership.ts";
import { LabelLog, type LoggedLabel, type LogRecord } from "../../fleet/store/label-log.ts";
import { Random } from "../../host/random.ts";

const label = (seq: number, number: number | null = null): LoggedLabel => {
  return { number, sid: 7, seq, y: 1, source: 0, confidence: 255, by: "anna" };
};

/** A log with what those records say, as another gateway reads them. */
function readAgain(records: readonly LogRecord[]): LabelLog {
  const log = new LabelLog();
  for (const record of records) log.apply(JSON.parse(JSON.stringify(record)));
  return log;
}

const readNumbers = ({ labels }: LabelLog) => labels.map(({ seq, number }) => [seq, number]);

test("a log says nothing where nothing changed, and knows its labels again", () => {
  const log = new LabelLog();
  const first = log.change(0, [label(3, 1), label(5)])!;
  log.apply(first);
  assert.is(log.change(0, [label(3, 1), label(5)]), undefined);
  const second = log.change(0, [label(3, 1), label(5, 2)])!;
  assert.equal((second as { labels: unknown }).labels, [label(5, 2)]);
  log.apply(second);
  assert.equal(readNumbers(readAgain([first, second])), [
    [3, 1],
    [5, 2],
  ]);
});

test("a label in a checkpoint waits no longer, and is remembered", () => {
  const log = new LabelLog();
  log.apply(log.change(0, [label(3, 1), label(5, 2)])!);
  log.apply(log.change(1, [label(5, 2), label(6, 3)])!);
  assert.equal(readNumbers(log), [
    [5, 2],
    [6, 3],
  ]);
  assert.equal(log.recent, [label(3, 1)]);
});

test("a node that lost its checkpoint: labels that wait get new numbers, and those that it had learned don't come back", () => {
  const log = new LabelLog();
  log.apply(log.change(8, [label(20, 9), label(21, 10), label(22, 11)])!);
  // The store already knows that 10 is durable; the log doesn't.
  log.apply(log.change(3, [label(22, 4)])!);
  assert.is(log.durable, 3);
  assert.equal(readNumbers(log), [[22, 4]]);
});

test("one record that says everything stands for all before it", () => {
  const random = new Random(3);
  const log = new LabelLog();
  const records: LogRecord[] = [];
  let rows: LoggedLabel[] = [];
  let durable = 0;
  for (let seq = 1; seq <= 300; seq++) {
    rows.push(label(seq, durable + rows.length + 1));
    if (random.uniform() < 0.1) {
      durable += rows.length;
      rows = [];
    }
    const record = random.uniform() < 0.05 ? log.whole : log.change(durable, rows);
    if (!record) continue;
    records.push(record);
    log.apply(record);
    const from = records.map((each) => each.is).lastIndexOf("whole");
    const again = readAgain(records.slice(Math.max(0, from)));
    assert.equal([again.durable, again.labels, again.recent], [log.durable, log.labels, log.recent]);
  }
});

test("of two labels under one number the later one counts: the other was never answered", () => {
  const log = new LabelLog();
  log.apply({ is: "change", durable: 0, labels: [label(3, 1)] });
  log.apply({ is: "change", durable: 0, labels: [label(4, 1)] });
  assert.equal(readNumbers(log), [[4, 1]]);
});

test("each node has one owner, gateways have like shares, and one that goes moves its nodes alone", () => {
  const nodes = Array.from({ length: 3000 }, (_, i) => `node-${i}`);
  const three = ["a-1", "a-2", "a-3"];
  const count = (gateway: string) => nodes.filter((node) => chooseOwner(node, three) === gateway).length;
  for (const gateway of three) assert.ok(Math.abs(count(gateway) - 1000) < 100, `${count(gateway)}`);
  for (const node of nodes) {
    const owner = chooseOwner(node, three);
    if (owner !== "a-2") assert.is(chooseOwner(node, ["a-1", "a-3"]), owner);
  }
});

test("a gateway that isn't heard is gone, and nodes are taken once the same ones were there for a while", () => {
  let now = 0;
  const members = new Membership("a", () => now);
  assert.equal([members.gateways, members.settled], [["a"], false]);
  now = 1500;
  members.heard("b");
  assert.equal([members.gateways, members.settled], [["a", "b"], false]);
  now = 3500;
  assert.equal([members.gateways, members.settled], [["a", "b"], true]);
  now = 1500 + GONE_MS;
  assert.equal([members.gateways, members.settled], [["a"], false]);
});

test.run();
