import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { explainSample } from "../../fleet/gateway/explain.ts";
import { Explanations } from "../../fleet/gateway/explain-thread.ts";
import type { Family } from "../../src/learn/family.ts";
import { familyNamed } from "../../src/learn/registry.ts";
import { BUDGET, SAMPLES, SID, taught } from "./followed-node.ts";

const WORKER = pathToFileURL(resolve("dist/explain-worker.js"));

/** Why it isn't explained. */
async function awaitRefusal(explained: Promise<unknown>): Promise<string> {
  try {
    await explained;
  } catch (error) {
    return (error as Error).message;
  }
  return "";
}

test("a thread explains as the gateway itself does, one decision after the other", async () => {
  const { store, followed } = taught({ learner: "olk-c" });
  const explanations = new Explanations(store, 600_000, WORKER);
  const asked = [SAMPLES, SAMPLES - 1].map((seq) => explanations.explain(followed, SID, seq));
  const refused = awaitRefusal(explanations.explain(followed, SID, SAMPLES + 1));
  const found = await Promise.all(asked);
  for (const [i, explained] of found.entries())
    assert.equal(explained, explainSample(store, followed, SID, SAMPLES - i));
  assert.match(await refused, /no decision on sample 121/);
  store.close();
});

for (const learner of ["olk-c", "auto"])
  test(`a copy that no node can have is refused with its reason, and the next is explained: ${learner}`, async () => {
    const region = learner === "auto" ? "kernel.count" : "count";
    const { regions } = (familyNamed(learner) as Family).layout({ dimension: 2, budget: BUDGET });
    const offset = regions.find(({ name }) => name === region)?.offset as number;
    const spoil = (words: Uint32Array, from: number) => {
      words[from + offset] = 0xffffffff;
    };
    const { store, followed, decisions } = taught({ learner, copyAt: 24, spoil });
    const explanations = new Explanations(store, 600_000, WORKER);
    const whole = explainSample(store, followed, SID, SAMPLES);
    store.read("DELETE FROM label WHERE number < 10", []);
    store.read("DELETE FROM sample WHERE seq < 10", []);
    const why = await awaitRefusal(explanations.explain(followed, SID, SAMPLES));
    assert.match(
      why,
      /copy of the node .* is refused: word 0 of the 2 of \S*count is 4294967295; takes at most/,
    );
    assert.is(whole.decision, decisions[SAMPLES], "from the first label on, without the copy");
    store.close();
  });

test("an explanation that takes too long is given up, and says so", async () => {
  const { store, followed } = taught({ learner: "olk-c", pending: 32 });
  const why = await awaitRefusal(new Explanations(store, 0, WORKER).explain(followed, SID, SAMPLES));
  assert.match(why, /takes longer than 0 s: it was given up/);
  const { decision } = await new Explanations(store, 600_000, WORKER).explain(followed, SID, SAMPLES);
  assert.is(decision, explainSample(store, followed, SID, SAMPLES).decision);
  store.close();
});

test("explanations don't pile up", async () => {
  const { store, followed } = taught({ learner: "olk-c", pending: 33 });
  const explanations = new Explanations(store, 0, WORKER);
  const whys = await Promise.all(
    Array.from({ length: 12 }, () => awaitRefusal(explanations.explain(followed, SID, SAMPLES))),
  );
  assert.is(whys.filter((why) => /ask again later/.test(why)).length, 4);
  store.close();
});

test("the gateway's end gives up explanations, the one under way and those that wait", async () => {
  const { store, followed } = taught({ learner: "olk-c", pending: 34 });
  const endless = new URL("data:text/javascript,setInterval(() => {}, 1000)");
  const explanations = new Explanations(store, 600_000, endless);
  const whys = [1, 2].map(() => awaitRefusal(explanations.explain(followed, SID, SAMPLES)));
  await Promise.resolve(); // the first has begun
  explanations.close();
  whys.push(awaitRefusal(explanations.explain(followed, SID, SAMPLES)));
  assert.equal(await Promise.all(whys), Array(3).fill("the gateway ends"));
  store.close();
});

test.run();
