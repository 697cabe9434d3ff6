import * as assert from "uvu/assert";
import { FleetStore } from "../../fleet/store/fleet-store.ts";
import { refusesHere, start } from "../cli/program.ts";
import { TestBroker } from "../tools/broker.ts";
import { endsWithTest, test } from "../tools/contained.ts";
import { inFolder, killStation, startStation } from "../tools/stations.ts";
import {
  counted,
  generated,
  hashAt,
  NODE_GIVEN,
  SAMPLE_MS,
  simulated,
  startSensingBoard,
  teach,
} from "./at-gateway.ts";
import { fleet, kill, startGateway } from "./fleets.ts";

const LABELS = 8;
/** The nodes' readings, known here by their number. */
const READINGS = { board: generated, linux: counted };

test("a board in QEMU, bridged to a broker, and a node in a process there learn at one gateway as simulated nodes do", async () => {
  const broker = await TestBroker.start();
  const listen = inFolder("wire");
  const board = await startSensingBoard(listen);
  const over = endsWithTest(() => board.close());
  const bridge = start("bridge", "--port", `unix:${listen}`, "--to", broker.address("board"));
  await bridge.says("is at");
  const linux = await startStation({
    listen: broker.address("linux"),
    node: NODE_GIVEN,
    sampleMs: SAMPLE_MS,
    checkpoint: inFolder("linux.ck"),
  });
  const names = ["board", "linux"] as const;
  const nodes = names.map((name) => ({ name, port: broker.address(name) }));
  const gateway = await startGateway(fleet("both", nodes));
  await teach(gateway.url, names, LABELS);
  await kill(gateway.child);
  const store = new FleetStore(inFolder("both.db"));
  for (const name of names)
    assert.equal(await hashAt(broker.address(name)), simulated(store, name, READINGS[name]), name);
  store.close();
  bridge.child.kill("SIGINT");
  assert.is((await bridge.ended).code, 130);
  await killStation(linux);
  over();
  await board.close();
  await broker.close();
});

test("a bridge that can't be is refused in one line, and one without port or broker ends", async () => {
  await refusesHere(
    ["bridge", "--port", "mqtt://host/n", "--to", "mqtt://host/n"],
    "--port mqtt://host/n",
    "unix:PATH",
  );
  await refusesHere(
    ["bridge", "--port", "unix:/tmp/n", "--to", "tcp://host:1"],
    "--to tcp://host:1",
    "mqtt://",
  );
  await refusesHere(["bridge", "--port", "unix:/tmp/n"], "--to");
  const nowhere = start("bridge", "--port", `unix:${inFolder("nobody")}`, "--to", "mqtt://127.0.0.1:1/n");
  const { code, stderr } = await nowhere.ended;
  assert.equal([code, /^motelearn: [^\n]+no such device or socket[^\n]*\n$/.test(stderr)], [4, true], stderr);
  const broker = await TestBroker.start();
  const linux = await startStation({
    ...{ listen: inFolder("alone"), node: NODE_GIVEN, sampleMs: SAMPLE_MS },
  });
  const to = broker.address("n");
  await broker.close();
  const port = `unix:${inFolder("alone")}`;
  const alone = await start("bridge", "--port", port, "--to", to, "--give-up", "1").ended;
  assert.is(alone.code, 4, alone.stderr);
  assert.match(alone.stderr, /\(for 1 s\)\n$/);
  await killStation(linux);
});

test.run();
