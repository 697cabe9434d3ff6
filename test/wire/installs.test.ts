import { test } from "uvu";
import * as assert from "uvu/assert";
import { Random } from "../../host/random.ts";
import { NodeCopy } from "../../host-sim/state/node-copy.ts";
import { modelBytes } from "../../src/learn/installed-model.ts";
import { encodeModel, modelCrc } from "../../src/learn/model-bytes.ts";
import { familyNamed } from "../../src/learn/registry.ts";
import { compileWasm, WasmF32 } from "../../src/math/wasm.ts";
import type { SensorNode } from "../../src/node/node.ts";
import { nodeLayout } from "../../src/node/node-layout.ts";
import { LABEL_STATUS } from "../../src/node/ports.ts";
import { installWhole } from "../../src/node/whole-install.ts";
import { type Install, installTag } from "../../src/peer/install.ts";
import { IMAGE_STATUS } from "../../src/store/paged-image.ts";
import { LabelTag } from "../../src/wire/label-tag.ts";
import type { Message, UpName } from "../../src/wire/messages.ts";
import { Ends, NODE } from "./ends.ts";
import {
  DIMENSION,
  drawItems,
  drawModel,
  ITEMS,
  isFinished,
  newNode,
  over,
  TOGETHER,
  withoutWire,
} from "./installs.ts";
import { recorded, stream } from "./recorded.ts";
import { withSameCrc } from "./same-crc.ts";

test("a node sends the features of each label that it applied, before the answer", () => {
  const samples = stream(1);
  const items = drawItems(1, samples);
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
  const good = drawModel(random, 2);
  const bad = good.slice();
  new DataView(bad.buffer).setFloat32(8, Number.NaN, true);
  const plain = newNode(NODE);
  assert.is(plain.install(1, good.length, modelCrc(good)), LABEL_STATUS.refused);
  const node = newNode(TOGETHER);
  assert.is(installWhole(node, 1, good), LABEL_STATUS.applied);
  const { crc } = node.fleet!.model;
  for (const [i, model] of [bad, drawModel(random, 5), good.subarray(4), new Uint8Array(0)].entries())
    assert.is(installWhole(node, i + 2, model), LABEL_STATUS.refused, `${model.length} bytes`);
  assert.is(node.fleet!.model.crc, crc);
  assert.is(node.labelled, 5);
  assert.is(installWhole(node, 5, good), LABEL_STATUS.duplicate);
  assert.is(installWhole(node, 7, good), LABEL_STATUS.ahead);
  assert.is(installWhole(node, 6, drawModel(random, 0)), LABEL_STATUS.applied);
  assert.is(node.fleet!.model.size, 0);
});

/** The label key of these nodes. */
const KEY = Uint8Array.from({ length: 16 }, (_, i) => i + 1);
const TAG = new LabelTag(KEY);

/** A fed node with that label key, and a peer that has the install in the first label's place. */
function ordered(install: () => Omit<Install, "number">): Ends {
  const labels = { at: (number: number) => (number === 1 ? { number, ...install() } : undefined) };
  const { samples } = recorded(stream(2));
  return new Ends({
    ...{ seed: 1, rate: 0, fed: true, node: TOGETHER, labelKey: KEY },
    peer: { samples, labels },
  });
}

test("with a label key an install needs the labeller's tag over session, number, length, check sum and digest", () => {
  const model = drawModel(new Random(2, "models"), 1);
  const tagged = (number: number, sid = TOGETHER.sid) => installTag(TAG, { number, model }, sid);
  const [low, high, ...tag] = tagged(1);
  for (const [given, labelled] of [
    [tagged(1), 1],
    [tagged(2), 0],
    [tagged(1, TOGETHER.sid + 1), 0],
    [[low ^ 1, high, ...tag], 0],
    [[low, high ^ 1, ...tag], 0],
    [tag, 0],
    [undefined, 0],
  ] as const) {
    const install = { model, tag: given };
    const ends = ordered(() => install);
    ends.until(() => ends.station.node.labelled === 1, 20);
    assert.is(ends.station.node.labelled, labelled);
    assert.is(ends.station.node.fleet!.model.size, labelled === 1 ? 1 : -1);
    assert.is(ends.station.node.count("forged") > 0, labelled === 0);
  }
});

/** The numbers of the model that the node has. */
function installed(node: SensorNode): number[] {
  const { f32, plane, rows } = node.fleet!.model as unknown as {
    readonly f32: { readonly words: Float32Array };
    readonly plane: number;
    readonly rows: number;
  };
  const { words } = f32;
  return [...words.subarray(plane, plane + DIMENSION + 1), ...words.subarray(rows, rows + 4 * DIMENSION)];
}

test("a model whose bytes were changed on their way is never installed, also if their check sum is right", () => {
  const random = new Random(2, "models");
  for (const vectors of [0, 1, 4]) {
    const model = drawModel(random, vectors);
    const tag = installTag(TAG, { number: 1, model }, TOGETHER.sid);
    const changed = withSameCrc(model, model.length - 8);
    assert.is(modelCrc(changed), modelCrc(model));
    assert.is(installWhole(newNode(TOGETHER), 1, changed), LABEL_STATUS.applied, "they are a model");
    let install = { model: changed, tag };
    const ends = ordered(() => install);
    const isRefused = () => ends.station.node.fleet!.stage.status === IMAGE_STATUS.forged;
    const checkNothing = () => {
      const { fleet, labelled } = ends.station.node;
      assert.equal([labelled, fleet!.model.size], [0, -1]);
    };
    for (const again of ["at first", "once more", "after a start"]) {
      assert.ok(ends.until(isRefused, 20), again);
      checkNothing();
      if (again === "once more") ends.restartNode();
      else
        assert.ok(
          ends.until(() => !isRefused(), 20),
          "it begins again",
        );
      checkNothing();
    }
    install = { model, tag };
    assert.ok(ends.until(() => ends.station.node.labelled === 1, 20));
    const { node } = ends.station;
    const beside = newNode(TOGETHER);
    installWhole(beside, 1, model);
    assert.is(node.fleet!.model.size, vectors);
    assert.equal(installed(node), installed(beside));
  }
});

test("an install that was recorded in an earlier session of the node is refused in a later one", () => {
  const model = drawModel(new Random(2, "models"), 0);
  const ends = new Ends({ ...{ seed: 1, rate: 0, fed: false, node: TOGETHER, labelKey: KEY }, peer: {} });
  const send = ({ sid, tag }: { readonly sid: number; readonly tag: readonly number[] }) => {
    const fill = (message: Message<"install">) => {
      Object.assign(message, {
        sid,
        number: 1,
        bytes: model.length,
        crc: modelCrc(model),
        length: tag.length,
      });
      message.tag.set(tag);
    };
    ends.until(() => ends.peer.pass("install", fill) > 0, 10);
    ends.until(() => false, 1);
  };
  const { node } = ends.station;
  const replayed = { sid: node.sid, tag: installTag(TAG, { number: 1, model }, node.sid) };
  send(replayed);
  assert.is(node.fleet!.stage.bytes, model.length, "in its session the node expects the model's bytes");
  ends.restartNode();
  ends.until(() => ends.peer.credit.largest > 0 && ends.peer.node.boot === 1002, 10);
  const { node: later } = ends.station;
  send(replayed);
  assert.equal([later.fleet!.stage.bytes, later.count("forged")], [0, 0], "it names another session");
  send({ ...replayed, sid: later.sid });
  assert.equal([later.fleet!.stage.bytes, later.count("forged")], [0, 1], "its tag is of another session");
});

test("a node without the option has the state and the memory that it had", () => {
  assert.is(newNode(NODE).layout.regionWords("installed.model"), 0);
  assert.is(
    newNode(TOGETHER).words - newNode(NODE).words,
    3 + DIMENSION + 1 + 4 + 4 * DIMENSION + 3 + (3 + DIMENSION),
  );
  assert.is(newNode(TOGETHER).fleet!.stage.room, modelBytes(DIMENSION, 4));
});

test("a node on WebAssembly has the same bits", () => {
  const samples = stream(7);
  const items = drawItems(7, samples);
  const layout = nodeLayout(TOGETHER);
  const fast = newNode(TOGETHER, layout.range(new WasmF32(compileWasm(), layout.bytes)));
  assert.is(withoutWire(samples, items, fast).stateHash(), withoutWire(samples, items).stateHash());
});

test("a checkpoint holds the model and who judges", () => {
  const samples = stream(8);
  const items = drawItems(8, samples);
  const node = withoutWire(samples, items);
  node.checkpoint();
  const before = [node.stateHash(), node.fleet!.model.crc, node.fleet!.judged];
  assert.is(installWhole(node, ITEMS + 1, drawModel(new Random(9, "models"), 3)), LABEL_STATUS.applied);
  assert.is.not(node.fleet!.model.crc, before[1]);
  node.restore();
  assert.equal([node.stateHash(), node.fleet!.model.crc, node.fleet!.judged], before);
});

test("a copy of its memory says which model it has, and who judges why", () => {
  const samples = stream(9);
  const node = withoutWire(samples, drawItems(9, samples));
  const copy = new NodeCopy(TOGETHER);
  assert.is(copy.fleet, undefined);
  copy.load(Uint32Array.from({ length: node.words }, (_, i) => node.word(i)));
  const { judges, judged: labels, ownLoss, modelLoss, model } = node.fleet!;
  assert.equal(copy.fleet, { vectors: model.size, crc: model.crc, judges, labels, ownLoss, modelLoss });
  assert.is(copy.fault, undefined);
});

test("the own labels decide who judges: a model that is right at first, one that is wrong until they contradict it", () => {
  const plane = (sign: number) =>
    encodeModel({
      weights: [sign, 0],
      bias: 0,
      gamma: 0,
      coefficients: [],
      vectors: [],
    });
  const options = {
    ...NODE,
    channels: 2,
    features: {},
    learner: familyNamed("arow")!,
    options: {},
    fleetBudget: 0,
  };
  const judged = (sign: number, labels: number) => {
    const node = newNode(options);
    const random = new Random(3, "judged");
    installWhole(node, 1, plane(sign));
    for (let i = 0; i < labels; i++) {
      const x = [random.normal(), random.normal()];
      node.sample(x);
      node.label({ number: i + 2, sid: node.sid, seq: node.seq, y: x[0] > 0 ? 1 : -1 });
    }
    return node;
  };
  assert.is(judged(1, 0).sample([2, 0]), 2, "without a label the model judges");
  assert.is(judged(1, 30).fleet!.judges, true);
  assert.is(judged(-1, 0).sample([2, 0]), -2);
  assert.is(judged(-1, 1).fleet!.judges, true, "one label proves nothing");
  assert.is(judged(-1, 2).fleet!.judges, false, "two do");
  const { fleet } = judged(-1, 30);
  assert.is(fleet!.judges, false);
  assert.ok(fleet!.modelLoss > 29 && fleet!.judged > 29, "each label a loss, less .2 % a label");
  assert.ok(judged(-1, 30).sample([2, 0]) > 0);
});

test("with many labels the own learner judges unless the model is better by a point", () => {
  const options = {
    ...NODE,
    channels: 2,
    features: {},
    learner: familyNamed("arow")!,
    options: {},
    fleetBudget: 0,
  };
  const node = newNode(options);
  const random = new Random(4, "judged");
  installWhole(node, 1, encodeModel({ weights: [1, 0], bias: 0, gamma: 0, coefficients: [], vectors: [] }));
  let labels = 0;
  for (; labels < 2000 && node.fleet!.judges; labels++) {
    const x = [random.normal() + (labels % 2 === 0 ? 4 : -4), random.normal()];
    node.sample(x);
    node.label({ number: labels + 2, sid: node.sid, seq: node.seq, y: labels % 2 === 0 ? 1 : -1 });
  }
  assert.ok(labels > 50 && labels < 600, `after ${labels} labels`);
});

test("only a learner of two classes takes a fleet's model", () => {
  const regression = { ...NODE, learner: familyNamed("qkrls")!, options: { budget: 8 }, fleetBudget: 4 };
  assert.throws(() => newNode(regression), /fleetBudget.*-1 with qkrls/);
  assert.throws(() => newNode({ ...NODE, fleetBudget: -2 }), /fleetBudget/);
});

test("a stream of installs alone, reordered and doubled at random, installs each once in order", () => {
  for (let seed = 1; seed <= 20; seed++) {
    const random = new Random(seed, "order");
    const node = newNode(TOGETHER);
    const models = Array.from({ length: 10 }, () => drawModel(random, random.below(5)));
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
