/** A node that gets models from its gateway, in this process: keys, and lines that are cut. */
import * as assert from "uvu/assert";
import { metricsText } from "../../fleet/gateway/metrics.ts";
import { MODELS } from "../../fleet/store/label-rows.ts";
import { test } from "../tools/contained.ts";
import { NODE } from "../tools/taught-node.ts";
import { KeptNode, type KeptTogether } from "./kept-node.ts";

const ALIKE = { ...NODE, fleetBudget: 0 };
const KEY = Uint8Array.from({ length: 16 }, (_, i) => i + 1);

let kept: KeptNode | undefined;
test.after.each(async () => {
  await kept?.close();
  kept = undefined;
});

async function labelled(name: string, keys: KeptTogether): Promise<KeptNode> {
  kept = await KeptNode.met(name, ALIKE, undefined, keys);
  const its = kept;
  its.sample(4);
  await its.become("the gateway hears of the samples", () => its.keeper.reach?.seq === 4);
  return its;
}

const models = ({ labels }: KeptNode) => labels.filter(({ sid }) => sid === MODELS);

test("a node with a label key takes the models that its gateway tags, over a cut of the line and a restart", async () => {
  const its = await labelled("keyed-models", { labelKey: KEY, filed: KEY });
  its.give(1);
  await its.become("a model", () => its.own.fleet!.model.size === 0);
  await its.become("its answer", () => models(its)[0].status === 0);
  await its.cut();
  its.restart(2);
  its.give(2, its.own.sid);
  await its.join();
  its.sample(3);
  its.give(its.own.seq);
  await its.become("a model of the next session", () =>
    models(its).some(({ status }, i) => i > 0 && status === 0),
  );
  assert.is(its.own.count("forged"), 0);
  const numbers = its.labels.map(({ number }) => Number(number)).sort((a, b) => a - b);
  assert.equal(
    numbers,
    numbers.map((_, i) => i + 1),
  );
});

test("a node whose label key the gateway lacks gets no models, and its labels go on", async () => {
  const its = await labelled("unkeyed-models", { labelKey: KEY });
  its.give(1, its.own.sid, KEY);
  await its.become("the refused model", () => its.own.count("forged") > 0);
  await its.become("its end", () => models(its).length === 0);
  its.give(2, its.own.sid, KEY);
  await its.become("the next label", () => its.own.count("applied") === 2);
  const said = its.events.find(([kind]) => kind === "together");
  assert.match(
    said?.[1] ?? "",
    /gets no models: it refuses their tags: its label key isn't in the fleet file/,
  );
});

test("features that aren't finite are no lesson: the gateway says so, and trains on", async () => {
  const its = await labelled("not-finite", {});
  its.give(1);
  await its.become("a model", () => its.own.fleet!.model.size === 0);
  const { boot, sid } = its.keeper.hello!;
  const label = { boot, number: 2, labelled: 2, sid, seq: 2 };
  its.keeper.labels.group!.take({
    ...label,
    first: 0,
    total: 2,
    length: 2,
    x: Float32Array.of(Number.NaN, 0),
  });
  await its.become("why", () =>
    its.events.some(([, text]) => text.includes("sends features that aren't finite")),
  );
  const { crc } = its.own.fleet!.model;
  its.give(3);
  its.give(4);
  await its.become("another model", () => its.own.fleet!.model.crc !== crc);
});

test("the metrics count labels and models apart", async () => {
  const its = await labelled("counted-models", {});
  const answered = () => models(its).filter(({ status }) => status === 0).length;
  its.give(1);
  await its.become("a model", () => answered() === 1);
  its.give(2);
  await its.become("another", () => answered() === 2);
  await its.become("the gateway hears of it", () => its.keeper.state.labelled === 4);
  const { text } = await metricsText([its.keeper.state]);
  const figure = (name: string) =>
    Number(new RegExp(`^motelearn_node_${name}\\{.*\\} (.*)$`, "m").exec(text)?.[1]);
  assert.is(figure("labels_dealt_with"), 2);
  assert.is(figure("models_dealt_with"), 2);
  const { durable = 0, waiting } = its.keeper.state;
  assert.is(figure("labels_durable") + figure("models_durable"), durable);
  assert.is(figure("labels_waiting") + figure("models_waiting"), waiting);
});

test.run();
