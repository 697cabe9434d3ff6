/** Explanations of a node that takes models of its group, from what a gateway has stored of it: whose vote it was, and the parts of the one that judged. */
import { test } from "uvu";
import * as assert from "uvu/assert";
import { explainSample } from "../../fleet/gateway/explain.ts";
import type { FollowedNode } from "../../fleet/gateway/followed-node.ts";
import { FleetStore } from "../../fleet/store/fleet-store.ts";
import { MODELS } from "../../fleet/store/label-rows.ts";
import { Random } from "../../host/random.ts";
import { GroupTrainer } from "../../host/training/group-trainer.ts";
import { encodeModel, modelCrc } from "../../src/learn/model-bytes.ts";
import { familyNamed } from "../../src/learn/registry.ts";
import { SensorNode } from "../../src/node/node.ts";
import { type LabelStatus, NO_STORAGE, REMARK } from "../../src/node/ports.ts";
import { installWhole } from "../../src/node/whole-install.ts";
import type { FeaturesOption } from "../../src/signal/features.ts";
import type { Hello } from "../../tools/session/hello.ts";
import { inFolder } from "../tools/stations.ts";

const [SID, SAMPLES, LATE, BUDGET, PENDING] = [7, 90, 5, 8, 64];
const FELLOW = "fellow";

interface Given {
  readonly learner: string;
  readonly vectors: number;
  readonly features?: FeaturesOption;
  /** True if the gateway sends models of the other class from the fourth on, so that the own learner judges in the end. */
  readonly misleads?: boolean;
  /** The sample after which the gateway makes a copy. */
  readonly copyAt?: number;
  /** True if its own learner begins with labels of its group. */
  readonly start?: boolean;
}

/** A plane for the class that `trueClass` doesn't give. */
const MISLEADING = encodeModel({ weights: [-1, 1], bias: 0.2, gamma: 0, coefficients: [], vectors: [] });

const trueClass = ([a, b]: Float32Array) => (a - b > 0.2 ? 1 : -1);

/** What the node itself had when it decided. */
interface Moment {
  readonly decision: number;
  readonly ofModel: boolean;
  readonly losses: readonly number[];
  readonly labelled: number;
}

/** A node and a fellow that learn together, and the store of a gateway that heard of it. */
function together({ learner, vectors, features = {}, misleads = false, copyAt, start = false }: Given) {
  const family = familyNamed(learner)!;
  let ran = 0;
  const store = new FleetStore(
    inFolder(`${learner}-${vectors}-${Object.keys(features)}-${misleads}-${copyAt}-${start}.db`),
    () => 1000 * ran,
    () => ran,
  );
  const moments: Moment[] = [];
  let sent = { sid: 0, seq: 0 };
  const budget = family.options.budget ? { budget: BUDGET } : {};
  const node: SensorNode = new SensorNode(
    {
      ...{
        sid: SID,
        channels: 2,
        pending: PENDING,
        labelWindow: 4,
        learner: family,
        options: budget,
        features,
      },
      fleetBudget: vectors,
    },
    { now: () => ran },
    {
      predicted(seq, _at, decision, remarks) {
        const { ownLoss, modelLoss, judged } = node.fleet!;
        const losses = [ownLoss, modelLoss, judged];
        const ofModel = (remarks & REMARK.fleet) !== 0;
        moments[seq] = { decision: Math.fround(decision), ofModel, losses, labelled: node.labelled };
        store.prediction("n", SID, seq, Math.fround(decision), remarks);
      },
      acknowledge(number, status) {
        store.labels.storeAnswer("n", number, status as LabelStatus);
        store.labels.answeredAfter("n", sent, { sid: SID, seq: node.seq });
      },
      learned: (_number, x) => learned(x),
    },
    NO_STORAGE,
  );
  const trainer = new GroupTrainer(2, { dimension: 2, vectors });
  const given = { source: 0, confidence: 255, by: "anna" };
  let models = 0;
  let sample = { sid: SID, seq: 0, y: 1 };
  const learned = (x: Float32Array) => {
    store.lessons.keep("n", { ...sample, number: 1, x: x.slice() } as never);
    trainer.take(0, { x: x.slice(), y: sample.y });
  };
  const label = (seq: number, y: number) => {
    sample = { sid: SID, seq, y };
    sent = { sid: SID, seq };
    store.labels.add("n", { ...sample, ...given });
    store.labels.number("n", node.labelled);
    node.label({ number: node.labelled + 1, sid: SID, seq, y, source: 0 });
  };
  const teachFellow = (seq: number, x: Float32Array) => {
    store.labels.add(FELLOW, { sid: 1, seq, y: trueClass(x), ...given, by: "bert" });
    store.lessons.keep(FELLOW, { sid: 1, seq, number: seq, x } as never);
    trainer.take(1, { x, y: trueClass(x) });
  };
  const install = () => {
    for (const { node: place, candidate, bytes: trained } of trainer.models((each) => each === 0)) {
      if (place !== 0) continue;
      const bytes = misleads && models >= 3 ? MISLEADING : trained;
      sent = { sid: MODELS, seq: ++models };
      store.lessons.install("n", { candidate, bytes, crc: modelCrc(bytes) });
      store.labels.number("n", node.labelled);
      installWhole(node, node.labelled + 1, bytes);
    }
  };
  const keepCopy = (seq: number, sid = SID) => {
    const { f32, state } = node.range;
    const from = node.layout.within("learner", node.range).state - state;
    const words = f32.bits.slice(state, state + node.layout.state + node.layout.counters);
    const about = {
      sid,
      seq,
      labelled: node.labelled,
      learner,
      firmware: "",
      hash: node.learner.stateHash(),
    };
    store.copy("n", { ...about, whole: true, from, checkpoint: null, words }, 8);
  };
  const random = new Random(3, learner);
  const taken: Float32Array[] = [];
  if (start) {
    const fellow = Array.from({ length: 20 }, () => Float32Array.of(random.normal(), random.normal()));
    for (const x of fellow) node.learner.learn(x, trueClass(x));
    keepCopy(0, SID - 1);
  }
  for (let seq = 1; seq <= SAMPLES; seq++) {
    ran++;
    const x = Float32Array.from([random.normal(), random.normal()]);
    taken[seq] = x;
    store.sample("n", SID, seq, x);
    node.sample(x);
    if (seq <= 12) teachFellow(seq, Float32Array.from([random.normal(), random.normal()]));
    if (seq > LATE && seq % 3 === 0) {
      label(seq - LATE, trueClass(taken[seq - LATE]));
    }
    if (seq > LATE) install();
    if (seq === copyAt) keepCopy(seq);
  }
  store.commit();
  const hello = { learner, channels: 2, dimension: 2, sid: SID, pending: PENDING, labelWindow: 4 } as Hello;
  const channels = [{ name: "heat" }, { name: "damp" }];
  const named = Object.keys(features).length > 0 ? { features } : {};
  const followed: FollowedNode = { name: "n", hello, capacity: BUDGET, options: {}, channels, ...named };
  return { store, followed, moments, node };
}

const EXPLAINED: Given[] = [
  { learner: "arow", vectors: 0 },
  { learner: "arow", vectors: 0, misleads: true },
  { learner: "olk-c", vectors: 32 },
  { learner: "olk-c", vectors: 32, features: { standardise: true } },
  { learner: "auto", vectors: 32 },
  { learner: "auto", vectors: 0, features: { standardise: true }, misleads: true },
];

for (const given of EXPLAINED)
  test(`each decision of ${JSON.stringify(given)} says whose it is, by which errors, and its parts`, () => {
    const { store, followed, moments } = together(given);
    const judges = { own: 0, fleet: 0 };
    for (let seq = LATE + 8; seq <= SAMPLES; seq += 3) {
      const { decision, ofModel, losses, labelled } = moments[seq];
      const { vote, parts, sum, labels, ...explained } = explainSample(store, followed, SID, seq);
      assert.is(Math.fround(explained.decision), decision, `sample ${seq}`);
      assert.ok(vote, `sample ${seq}: no vote`);
      assert.is(vote.judge, ofModel ? "fleet" : "own");
      assert.is(labels, labelled);
      assert.equal([vote.own.errors, vote.fleet.errors, vote.labels], losses, `sample ${seq}`);
      assert.is(vote.fleet.against < vote.own.against, ofModel);
      judges[vote.judge]++;
      if (!ofModel) continue;
      const total = parts.reduce((all, { part }) => all + part, 0);
      assert.ok(Math.abs(total - sum) < 1e-5, `parts ${total}, sum ${sum}`);
      if (given.vectors === 0) {
        assert.equal(
          parts.map(({ of }) => of),
          ["weight 1", "weight 2", "offset"],
        );
        assert.match(parts[0].input ?? "", /^heat/);
      }
      for (const { of, from } of parts.filter(({ weight }) => weight !== 0))
        if (of.startsWith("vector"))
          assert.ok(from?.node && from.by, `sample ${seq}: ${of} is a labelled sample`);
    }
    assert.ok(judges.fleet > 2, `the model judged ${judges.fleet} times`);
    if (given.misleads) assert.ok(judges.own > 1, `the own learner judged ${judges.own} times`);
    store.close();
  });

for (const learner of ["olk-c", "auto"])
  test(`where the first labels are gone, the vote of ${learner} is followed from a copy of the node`, () => {
    const { store, followed, moments } = together({ learner, vectors: 32, copyAt: 40 });
    store.read("DELETE FROM label WHERE number < 5 AND node = 'n'", []);
    store.read("DELETE FROM sample WHERE seq < 10 AND node = 'n'", []);
    const ofModels = moments.flatMap(({ ofModel }, seq) => (ofModel && seq > 41 ? [seq] : []));
    const { decision, copy, vote } = explainSample(store, followed, SID, ofModels.at(-1)!);
    assert.is(Math.fround(decision), moments[ofModels.at(-1)!].decision);
    assert.ok(copy! > 0);
    assert.equal([vote!.own.errors, vote!.fleet.errors, vote!.labels], moments[ofModels.at(-1)!].losses);
    store.close();
  });

test("a newcomer that began with its group's labels is followed from that first state, which an earlier session has", () => {
  const { store, followed, moments } = together({ learner: "auto", vectors: 32, start: true });
  for (const seq of [LATE + 8, SAMPLES]) {
    const { decision, copy, vote } = explainSample(store, followed, SID, seq);
    assert.equal([Math.fround(decision), copy], [moments[seq].decision, 0]);
    assert.equal([vote!.own.errors, vote!.fleet.errors, vote!.labels], moments[seq].losses);
  }
  store.close();
});

test.run();
