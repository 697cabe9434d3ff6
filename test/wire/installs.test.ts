import { test } from "uvu";
import * as assert from "uvu/assert";
import { Random } from "../../host/random.ts";
import { modelBytes } from "../../src/learn/installed-model.ts";
import { modelCrc } from "../../src/learn/model-bytes.ts";
import { LABEL_STATUS } from "../../src/node/ports.ts";
import { LabelTag } from "../../src/wire/label-tag.ts";
import type { Message, UpName } from "../../src/wire/messages.ts";
import { Ends, NODE } from "./ends.ts";
import {
  DIMENSION,
  installAt,
  isFinished,
  itemsOf,
  modelOf,
  newNode,
  over,
  TOGETHER,
  withoutWire,
} from "./installs.ts";
import { recorded, stream } from "./recorded.ts";

test("a node sends the features of each label that it applied, before the answer", () => {
  const samples = stream(1);
  const items = itemsOf(1, samples);
  const seen: number[] = [];
  const sizes = new Set<number>();
  const on = (name: UpName, message: Message<UpName>) => {
    if (name !== "features") return;
    const { number, first, length, total } = message as Message<"features">;
    if (first === 0) seen.push(number);
    sizes.add(total);
    assert.ok(length === total);
  };
  const ends = over(1, 0, items, samples, on);
  assert.ok(ends.until(() => isFinished(ends), 200));
  assert.equal(
    seen,
    items.filter((item) => item && "seq" in item).map((item) => item!.number),
  );
  assert.equal([...sizes], [DIMENSION]);
  assert.is(ends.station.node.stateHash(), withoutWire(samples, items).stateHash());
});

test("a model that is none for the node is refused, uses its number, and changes nothing else", () => {
  const random = new Random(1, "models");
  const good = modelOf(random, 2);
  const bad = good.slice();
  new DataView(bad.buffer).setFloat32(8, Number.NaN, true);
  const plain = newNode(NODE);
  assert.is(plain.install(1, good.length, modelCrc(good)), LABEL_STATUS.refused);
  const node = newNode(TOGETHER);
  assert.is(installAt(node, 1, good), LABEL_STATUS.applied);
  const { crc } = node.fleet!.model;
  for (const [i, model] of [bad, modelOf(random, 5), good.subarray(4), new Uint8Array(0)].entries())
    assert.is(installAt(node, i + 2, model), LABEL_STATUS.refused, `${model.length} bytes`);
  assert.is(node.fleet!.model.crc, crc);
  assert.is(node.labelled, 5);
  assert.is(installAt(node, 5, good), LABEL_STATUS.duplicate);
  assert.is(installAt(node, 7, good), LABEL_STATUS.ahead);
  assert.is(installAt(node, 6, modelOf(random, 0)), LABEL_STATUS.applied);
  assert.is(node.fleet!.model.size, 0);
});

test("with a label key an install needs the labeller's tag over number, length and check sum", () => {
  const key = Uint8Array.from({ length: 16 }, (_, i) => i + 1);
  const samples = stream(2);
  const model = modelOf(new Random(2, "models"), 1);
  const tag = new LabelTag(key);
  const tagged = (number: number) => {
    tag.computeInstall({ number, bytes: model.length, crc: modelCrc(model) });
    return [tag.low, tag.high];
  };
  for (const [given, labelled] of [
    [tagged(1), 1],
    [tagged(2), 0],
    [undefined, 0],
  ] as const) {
    const labels = { at: (number: number) => (number === 1 ? { number, model, tag: given } : undefined) };
    const { samples: fed } = recorded(samples);
    const ends = new Ends({
      ...{ seed: 1, rate: 0, fed: true, node: TOGETHER, labelKey: key },
      peer: { samples: fed, labels },
    });
    ends.until(() => ends.station.node.labelled === 1, 20);
    assert.is(ends.station.node.labelled, labelled);
    assert.is(ends.station.node.fleet!.model.size, labelled === 1 ? 1 : -1);
    assert.is(ends.station.node.count("forged") > 0, labelled === 0);
  }
});

test("a node without the option has the state and the memory that it had", () => {
  assert.is(newNode(NODE).layout.wordsOf("installed.model"), 0);
  assert.is(newNode(TOGETHER).words - newNode(NODE).words, 3 + DIMENSION + 1 + 4 + 4 * DIMENSION + 2);
  assert.is(newNode(TOGETHER).fleet!.stage.room, modelBytes(DIMENSION, 4));
});

test("a stream of installs alone, reordered and doubled at random, installs each once in order", () => {
  for (let seed = 1; seed <= 20; seed++) {
    const random = new Random(seed, "order");
    const node = newNode(TOGETHER);
    const models = Array.from({ length: 10 }, () => modelOf(random, random.below(5)));
    let steps = 0;
    while (node.labelled < models.length && steps++ < 10_000) {
      const i = random.uniform() < 0.8 ? node.labelled : random.below(models.length);
      const before = node.labelled;
      if (random.uniform() < 0.7) {
        const { stage } = node.fleet!;
        const from = random.uniform() < 0.7 ? stage.received : random.below(models[i].length);
        stage.write(
          from,
          models[i].subarray(from, from + 60),
          Math.max(0, Math.min(60, models[i].length - from)),
        );
      } else node.install(i + 1, models[i].length, modelCrc(models[i]));
      assert.ok(node.labelled - before <= 1);
      if (node.labelled > before) assert.is(node.fleet!.model.crc, modelCrc(models[before]));
    }
    assert.is(node.labelled, models.length);
  }
});

test.run();
