/** `explain --seq` on a log of `monitor` of a node that takes models: whose decision it was, and its parts. */
import { readFileSync } from "node:fs";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { Random } from "../../host/random.ts";
import { GroupTrainer } from "../../host/training/group-trainer.ts";
import { modelCrc } from "../../src/learn/model-bytes.ts";
import { familyNamed } from "../../src/learn/registry.ts";
import { SensorNode } from "../../src/node/node.ts";
import { type LabelStatus, NO_STORAGE, REMARK } from "../../src/node/ports.ts";
import { installWhole } from "../../src/node/whole-install.ts";
import type { FeaturesOption } from "../../src/signal/features.ts";
import type { Message } from "../../src/wire/messages.ts";
import { floatBits } from "../../tools/explanation/sums.ts";
import { Recording } from "../../tools/record/recording.ts";
import { refusesHere, runHere, runJsonHere, temporaryFolder } from "../cli/program.ts";
import { inFolder } from "./stations.ts";

const [SID, SAMPLES, LATE, BUDGET, WRONG] = [7, 90, 5, 8, 2];
const BLOCK = 60;
const file = temporaryFolder();
let logs = 0;

interface Given {
  readonly learner: string;
  readonly vectors: number;
  readonly features?: FeaturesOption;
}

/** What the node itself had when it decided. */
interface Moment {
  readonly decision: number;
  readonly ofModel: boolean;
  readonly losses: readonly number[];
  readonly labelled: number;
}

const trueClass = ([a, b]: Float32Array) => (a - b > 0.2 ? 1 : -1);

/** A node whose models a program at the monitor's shared line trains from its labels, and the log of the monitor. */
function logged({ learner, vectors, features = {} }: Given) {
  const family = familyNamed(learner)!;
  const path = inFolder(`${++logs}-models-${learner}-${vectors}-${Object.keys(features)}.ndjson`);
  const recording = new Recording(path, false, { port: "", node: "room" });
  const trainer = new GroupTrainer(1, { dimension: 2, vectors });
  const moments: Moment[] = [];
  let statuses: LabelStatus[] = [];
  let y = 1;
  const node: SensorNode = new SensorNode(
    {
      ...{ sid: SID, channels: 2, pending: 16, learner: family, features, fleetBudget: vectors },
      options: family.options.budget ? { budget: BUDGET } : {},
    },
    { now: () => 0 },
    {
      predicted(seq, _at, decision, remarks) {
        const { ownLoss, modelLoss, judged } = node.fleet!;
        const ofModel = (remarks & REMARK.fleet) !== 0;
        const { labelled } = node;
        moments[seq] = {
          decision: Math.fround(decision),
          ofModel,
          losses: [ownLoss, modelLoss, judged],
          labelled,
        };
      },
      acknowledge: (_, status) => statuses.push(status),
      // The program takes the first labels for the other class, so its first models err.
      learned: (_, x) => trainer.take(0, { x: x.slice(), y: node.labelled < WRONG ? -y : y }),
    },
    NO_STORAGE,
  );
  const answered = (number: number) => {
    for (const status of statuses) recording.answered({ number, status, labelled: node.labelled });
    statuses = [];
  };
  const label = (seq: number, its: number) => {
    y = its;
    const sent = { number: node.labelled + 1, sid: SID, seq, y, source: 3, confidence: 255 };
    recording.sent("label", sent as Message<"label">);
    node.label(sent);
    answered(sent.number);
  };
  const install = (model: Uint8Array) => {
    const number = node.labelled + 1;
    const order = { number, bytes: model.length, crc: modelCrc(model) >>> 0 } as Message<"install">;
    recording.sent("install", order);
    for (let offset = 0; offset < model.length; offset += BLOCK) {
      const data = model.subarray(offset, offset + BLOCK);
      recording.sent("block", { start: 1, offset, data, length: data.length });
      // A line that loses an answer has blocks sent again.
      recording.sent("block", { start: 1, offset, data, length: data.length });
    }
    recording.sent("install", order);
    installWhole(node, number, model);
    answered(number);
  };
  const random = new Random(3, learner);
  const taken: Float32Array[] = [];
  for (let seq = 1; seq <= SAMPLES; seq++) {
    const x = Float32Array.from([random.normal(), random.normal()]);
    taken[seq] = x;
    const of = { start: 1, sid: SID, seq, ts: seq, dr: 0 };
    recording.take({ ...of, first: 0, total: 2, x, length: 2 });
    node.sample(x);
    const { decision, ofModel } = moments[seq];
    const remarks = Uint8Array.of(ofModel ? REMARK.fleet : 0);
    recording.predicted({ ...of, decision, remarks, length: 1 });
    if (seq > LATE && seq % 3 === 0) label(seq - LATE, trueClass(taken[seq - LATE]));
    if (seq > LATE) for (const { bytes } of trainer.models(() => true)) install(bytes);
  }
  recording.close();
  return { path, moments, node };
}

/** The samples on which the model judged. */
const ofModels = (moments: readonly Moment[]) =>
  moments.flatMap(({ ofModel }, seq) => (ofModel ? [seq] : []));

function explainArguments({ learner, features = {} }: Given): string[] {
  const budget = familyNamed(learner)!.options.budget ? ["--budget", `${BUDGET}`] : [];
  return ["explain", "--learner", learner, ...budget, "--scale", features.standardise ? "node" : "none"];
}

const LOGGED: Given[] = [
  { learner: "arow", vectors: 0 },
  { learner: "olk-c", vectors: 32, features: { standardise: true } },
  { learner: "auto", vectors: 32 },
];

for (const given of LOGGED)
  test(`each decision in a log of ${JSON.stringify(given)} says whose it is, by which errors, and its parts`, async () => {
    const { path, moments } = logged(given);
    const judged = { own: 0, fleet: 0 };
    for (let seq = LATE + 3; seq <= SAMPLES; seq += 7) {
      const { decision, ofModel, losses, labelled } = moments[seq];
      const explained = await runJsonHere(
        "motelearn.explain/1",
        ...[...explainArguments(given), "--log", path, "--seq", `${seq}`],
      );
      assert.is(Math.fround(explained.decision), decision, `sample ${seq}`);
      assert.is(explained.bits, floatBits(explained.decision));
      const { vote, parts, labels } = explained;
      assert.is(labels, labelled);
      if (!vote) {
        assert.not(ofModel);
        continue;
      }
      assert.is(vote.judge, ofModel ? "fleet" : "own");
      assert.equal([vote.own.errors, vote.fleet.errors, vote.labels], losses, `sample ${seq}`);
      judged[vote.judge as "own" | "fleet"]++;
      if (!ofModel || vote.model.vectors === 0 || vote.model.vectors === given.vectors) continue;
      for (const { of, sample, label, source } of parts) {
        if (!of.startsWith("vector")) continue;
        assert.ok(sample >= 1 && sample <= seq - LATE, `${of} is sample ${sample}`);
        assert.is(source, 3);
        assert.ok(label === 1 || label === -1);
      }
    }
    assert.ok(judged.fleet > 1, JSON.stringify(judged));
    const last = ofModels(moments).at(-1);
    const { stdout } = await runHere([...explainArguments(given), "--log", path, "--seq", `${last}`]);
    assert.match(stdout, /the fleet's model judged: of \S+ own labels the fleet's model \(.*\) erred on/);
  });

test("a log without a model's bytes explains the own learner's decisions, and says what it lacks for the model's", async () => {
  const given = LOGGED[0];
  const { path, moments } = logged(given);
  const lines = readFileSync(path, "utf8").trim().split("\n");
  const first = lines.findIndex((line) => line.includes('"type":"install"'));
  const { model: _, ...rest } = JSON.parse(lines[first]);
  const cut = file(
    "cut.ndjson",
    lines.map((line, i) => (i === first ? JSON.stringify(rest) : line)).join("\n"),
  );
  const none = file("none.ndjson", lines.filter((line) => !line.includes('"type":"install"')).join("\n"));
  const ofModel = ofModels(moments).at(-1);
  const args = [...explainArguments(given), "--log"];
  const asked = ["--seq", `${ofModel}`];
  const lacks = `lacks the bytes of the model in place of label ${rest.number}`;
  await refusesHere([...args, cut, ...asked], "the fleet's model made that prediction", lacks);
  await refusesHere([...args, none, ...asked], "holds no models", `sid=${SID}&seq=${ofModel}`);
  const own = moments.findIndex(
    (moment, seq) => moment?.labelled > rest.number && !ofModels(moments).includes(seq),
  );
  assert.ok(own > 0, "its own learner judges, too");
  const explained = await runJsonHere("motelearn.explain/1", ...args, cut, "--seq", `${own}`);
  assert.is(Math.fround(explained.decision), moments[own].decision);
});

test.run();
