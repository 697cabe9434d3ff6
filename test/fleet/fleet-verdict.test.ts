import { join } from "node:path";
import { test } from "uvu";
import * as assert from "uvu/assert";
import type { PartProcess } from "../../fleet/bench/parts.ts";
import { judge } from "../../fleet/bench/verdict.ts";
import { FleetStore } from "../../fleet/store/fleet-store.ts";
import { LABEL_STATUS } from "../../src/node/ports.ts";
import { makeFolder } from "../folder.ts";

const folder = makeFolder();

/**
 * The verdict on a node n1 with three labels: 1 applied, 2 too late, 3 without an answer; `change` corrupts
 * the data first.
 */
async function judged(
  name: string,
  change: {
    spoil?: (store: FleetStore) => void;
    taken?: string[];
    labelled?: number;
    same?: boolean;
  } = {},
) {
  const file = join(folder, `${name}.db`);
  const store = new FleetStore(file);
  for (const seq of [1, 2, 3]) {
    store.prediction("n1", 7, seq, 1, 0);
    store.labels.add("n1", { sid: 7, seq, y: 1, source: 0, confidence: 255, by: "bench" });
  }
  store.labels.number("n1", 0);
  store.labels.storeAnswer("n1", 1, LABEL_STATUS.applied);
  store.labels.storeAnswer("n1", 2, LABEL_STATUS.expired);
  change.spoil?.(store);
  store.close();
  const { taken = ["7 1", "7 2", "7 3"], labelled = 3, same = true } = change;
  const asked: unknown[] = [];
  const holder = {
    ask: async (ask: unknown) => {
      asked.push(ask);
      return same;
    },
  } as unknown as PartProcess;
  const verdict = await judge({
    ...{ file, names: ["n1"], findHolder: () => holder },
    ...{ taken: new Map([["n1", new Set(taken)]]), labelled: { n1: labelled } },
  });
  return { verdict, asked };
}

test("labels that are applied, too late or without an answer are counted, and the node is compared with all", async () => {
  const { verdict, asked } = await judged("well");
  assert.equal(verdict, {
    ...{ stored: 3, taken: 3, applied: 1, tooLate: 1, unanswered: 1, waiting: 0 },
    ...{ lost: 0, doubled: 0, different: [] },
  });
  const label = { sid: 7, y: 1, source: 0, confidence: 255 };
  const labels = [
    { ...label, number: 1, seq: 1, applied: true },
    { ...label, number: 2, seq: 2, applied: false },
    { ...label, number: 3, seq: 3 },
  ];
  assert.equal(asked, [{ ask: "compare", dealt: { name: "n1", labels } }]);
});

test("a label with a number that the node didn't reach waits, as does one without a number; neither is compared", async () => {
  const late = (seq: number) => ({ sid: 7, seq, y: 1, source: 0, confidence: 255, by: "bench" });
  const { verdict, asked } = await judged("waiting", {
    labelled: 2,
    spoil: (store) => [4, 5].forEach((seq) => void store.labels.add("n1", late(seq))),
  });
  const { waiting, lost, doubled, unanswered } = verdict;
  assert.equal({ waiting, lost, doubled, unanswered }, { waiting: 3, lost: 0, doubled: 0, unanswered: 0 });
  const [{ dealt }] = asked as { dealt: { labels: { number: number }[] } }[];
  assert.equal(
    dealt.labels.map(({ number }) => number),
    [1, 2],
  );
});

test("a label that is gone and a number without one are lost; two labels with one number are doubled", async () => {
  const lost = async (name: string, change: Parameters<typeof judged>[1]) =>
    (await judged(name, change)).verdict.lost;
  assert.is(await lost("gone", { taken: ["7 1", "7 4"] }), 1);
  const renumber = (from: number, to: number) => (store: FleetStore) =>
    void store.labels.setNumbers("n1", [
      { number: to, sid: 7, seq: from, y: 1, source: 0, confidence: 255, by: "bench" },
    ]);
  assert.is(await lost("gap", { spoil: renumber(3, 5), labelled: 5 }), 2);
  const { verdict } = await judged("doubled", { spoil: renumber(3, 2) });
  assert.is(verdict.doubled, 1);
});

test("a node in another state is named", async () => {
  const { verdict } = await judged("different", { same: false });
  assert.equal(verdict.different, ["n1"]);
});

test.run();
