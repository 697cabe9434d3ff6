import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { Refusal } from "../../fleet/access/refusal.ts";
import { LABEL } from "../../fleet/api/label-request.ts";
import { Gateway } from "../../fleet/gateway/gateway.ts";
import { Log } from "../../fleet/gateway/log.ts";
import type { NodeKeeper } from "../../fleet/gateway/node-keeper.ts";
import { answerTo, repeatable } from "../../fleet/page/again.ts";
import { FleetStore } from "../../fleet/store/fleet-store.ts";
import { inFolder } from "../tools/stations.ts";

const WAITERS_MAX = 1024;
const SID = 7;
const HEARD = 2000;

/** A gateway that doesn't run: nothing is committed until it closes. Its node was heard up to a sample. */
function openGateway(name: string): { gateway: Gateway; store: string } {
  const store = inFolder(`${name}.db`);
  const nodes = [{ name: "n1", port: `unix:${inFolder(name)}`, baud: 115200 }];
  const gateway = new Gateway(
    {
      ...{ port: 0, store, keepCopies: 1, keepDays: 1, nodes, listen: { host: "127.0.0.1" } },
      ...{ sessionHours: 1, labelsPerMinute: 1e6 },
    },
    new Log("error", true),
  );
  const { byName } = gateway as unknown as { byName: Map<string, NodeKeeper> };
  (byName.get("n1") as unknown as { reached: object }).reached = { sid: SID, seq: HEARD };
  return { gateway, store };
}

const makeLabel = (seq: number) => ({ sid: SID, seq, label: 1, source: 0, confidence: 255, by: "anna" });

/** The refusal's status and the seconds after which the label may come again. */
async function awaitRefusal(taken: Promise<string | undefined>): Promise<[number, string]> {
  try {
    await taken;
  } catch (error) {
    if (error instanceof Refusal) return [error.status, error.headers["retry-after"]];
    throw error;
  }
  throw new Error("it was taken");
}

test("labels beyond those that may wait for the disk are to come again, and none that was taken is lost", async () => {
  const { gateway, store } = openGateway("flooded");
  const taken = Array.from({ length: WAITERS_MAX }, (_, i) => gateway.teach("n1", makeLabel(i + 1)));
  assert.equal(await awaitRefusal(gateway.teach("n1", makeLabel(WAITERS_MAX + 1))), [503, "1"]);
  await gateway.close();
  assert.ok((await Promise.all(taken)).every((why) => why === undefined));
  const kept = new FleetStore(store);
  assert.is([...kept.rows("label", "n1")].length, WAITERS_MAX);
  kept.close();
});

test("a label whose sample is still on its way is to come again; one of a sample that can't come is wrong", async () => {
  const { gateway } = openGateway("early");
  for (const seq of [HEARD + 1, HEARD + 5000])
    assert.equal(await awaitRefusal(gateway.teach("n1", makeLabel(seq))), [503, "1"]);
  for (const wrong of [makeLabel(HEARD + 1_000_000), { ...makeLabel(3), sid: 99 }]) {
    const why = await gateway.teach("n1", wrong).catch((error: Refusal) => error);
    assert.is((why as Refusal).status, 409);
    assert.match((why as Refusal).message, /no prediction of sample/);
  }
  const taken = gateway.teach("n1", makeLabel(HEARD));
  await gateway.close();
  assert.is(await taken, undefined);
});

test("the page sends an answer again as long as the gateway refuses it for now, and waits as long as it is asked to", async () => {
  const statuses = [503, 503, 202];
  const server = createServer((_request, response) => {
    const status = statuses.shift() as number;
    response.writeHead(status, status === 503 ? { "retry-after": "2" } : {}).end();
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const waits: number[] = [];
  const response = await answerTo(
    () => fetch(url),
    async (ms) => waits.push(ms),
  );
  assert.equal([response.status, waits, statuses], [202, [2000, 2000], []]);
  server.close();
  server.closeAllConnections();
});

test("the page sends an answer again while the gateway restarts, and in the end says that it doesn't answer", async () => {
  let sent = 0;
  const waits: number[] = [];
  const pause = async (ms: number) => waits.push(ms);
  const send = repeatable(async () => {
    if (++sent < 4) throw new TypeError("Failed to fetch");
    return new Response("{}", { status: 202 });
  });
  assert.is((await answerTo(send, pause)).status, 202);
  assert.equal(waits, [1000, 1000, 1000]);
  const refused = await answerTo(
    repeatable(async () => {
      throw new TypeError("Failed to fetch");
    }),
    pause,
  );
  assert.equal(await refused.json(), { error: "the gateway doesn't answer" });
});

test("a label that no number can hold is named as what it is", () => {
  assert.match(String(LABEL.read('{"seq": 1, "label": 1e999}')), /^label: got Infinity; /);
});

test("the page shows at once why a full disk takes no answer", async () => {
  let sent = 0;
  const send = async () => {
    sent++;
    return new Response("{}", { status: 503 });
  };
  assert.is((await answerTo(send)).status, 503);
  assert.is(sent, 1);
});

test.run();
