import { test } from "uvu";
import * as assert from "uvu/assert";
import { prepare } from "../../host-sim/network/network.ts";
import { holdStream } from "../../host-sim/network/stream.ts";
import { parseScenario, type Scenario } from "../../host-sim/scenario/scenario.ts";
import { networks, shipped } from "./bearings.ts";

test("a fed node makes of raw readings that come over the wire the same spectra as a node that samples them", async () => {
  const [, { node, ...spectral }] = shipped.tasks;
  const options = (fed: boolean) => ({
    stream: { ...shipped.stream, nodes: 1, samples: 300 },
    tasks: [{ ...spectral, node: { ...node, fed } }],
    labels: {},
    link: { baud: 1_000_000 },
  });
  const [sampled, fed] = [await networks(options(false)), await networks(options(true))];
  sampled.forEach(({ name, nodes }, i) => {
    const [own, other] = [nodes[0].result, fed[i].nodes[0].result];
    assert.is(own.samples, 300);
    assert.is(own.labels.applied, 300);
    assert.is(other.stateHash, own.stateHash, name);
    assert.is(other.nodeHash, own.nodeHash, name);
  });
});

test("a machine's vibration follows from the seed, and differs from machine to machine", async () => {
  const scenario = parseScenario(
    JSON.stringify({ ...shipped, stream: { ...shipped.stream, samples: 50 } }),
    "",
  );
  const readAll = async (options: Scenario) => (await prepare(options, "", 0)).streams.map(holdStream);
  const streams = await readAll(scenario);
  assert.equal(streams, await readAll(scenario));
  assert.is(new Set(streams.map(({ readings }) => readings.join())).size, 3);
  const other = await readAll({ ...scenario, seed: 2 });
  assert.is.not(other[0].readings.join(), streams[0].readings.join());
});

test.run();
