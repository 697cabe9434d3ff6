import * as assert from "uvu/assert";
import type { LabelIntake } from "../../fleet/intake/label-intake.ts";
import { MqttIntake } from "../../fleet/intake/mqtt-intake.ts";
import { FleetStore } from "../../fleet/store/fleet-store.ts";
import { exitCode } from "../../host/terminal/exit.ts";
import { parseAddress } from "../../tools/ports/address.ts";
import { become } from "../tools/awaited.ts";
import { TestBroker } from "../tools/broker.ts";
import { test } from "../tools/contained.ts";
import { inFolder } from "../tools/stations.ts";
import { openedDatabase } from "./store-database.ts";

/** What it has on its own. */
interface Parts {
  clientId(): Promise<string | undefined>;
  take(packet: { readonly payload: string }): Promise<boolean>;
}

/** An intake at a gateway whose database can't be read the first time, and can't be written the second. */
function intakeAt() {
  const said: string[] = [];
  const handed: unknown[] = [];
  let reads = 0;
  let commits = 0;
  let kept: string | undefined;
  const read = <T>(value: T): T => {
    if (++reads === 1) throw new Error("fleet.db: can't be read: disk I/O error");
    return value;
  };
  const desk = {
    closed: false,
    ports: {
      place: () => read(kept),
      keep: (place: string) => {
        kept = place;
      },
      awaitCommit: async () => (++commits === 1 ? "the disk is full" : undefined),
    },
    awaitReached: async () => {},
    room: async () => {},
    pause: async () => {},
    hand: (label: unknown) => handed.push(read(label)),
    refuse: (text: string) => said.push(text),
  };
  const intake = new MqttIntake(
    parseAddress("mqtt://localhost/labels") as never,
    desk as unknown as LabelIntake,
  );
  return { intake: intake as unknown as Parts, said, handed, kept: () => kept };
}

const SAID = ["topic labels: its labels wait: fleet.db: can't be read: disk I/O error"];

test("a database that can't be read leaves a topic's labels at the broker, and ends no gateway", async () => {
  const { intake, said, kept } = intakeAt();
  const id = await intake.clientId();
  assert.match(id ?? "", /^motelearn-/);
  assert.is(kept(), id);
  assert.equal(said, SAID);
  const second = intakeAt();
  const payload = JSON.stringify({ sid: 1, seq: 2, label: 1, by: "anna" });
  assert.is(await second.intake.take({ payload }), true);
  assert.is(second.handed.length, 2); // the first time it wasn't read, the second it wasn't written
  assert.equal(second.said, SAID);
});

test("a topic that the broker lets nobody read is named, as its labels never come", async () => {
  const broker = await TestBroker.start({ refuses: "labels" });
  const said: string[] = [];
  const desk = {
    closed: false,
    ports: { place: () => "client", keep: () => {}, awaitCommit: async () => undefined },
    awaitMet: async () => {},
    pause: () =>
      become(
        "a refusal that is said",
        () => said.length > 0,
        () => "nothing",
      ),
    refuse: (text: string) => {
      said.push(text);
      desk.closed = true;
    },
  };
  await new MqttIntake(parseAddress(broker.address("labels")) as never, desk as unknown as LabelIntake).run();
  assert.equal(said, [
    "topic labels: Subscribe error: Unspecified error; no label comes from it until the broker lets the gateway's user read it",
  ]);
});

test("a query that the disk doesn't answer is an error of the machine, in one line", () => {
  const store = new FleetStore(inFolder("unread.db"));
  openedDatabase(store).exec("ALTER TABLE place RENAME TO gone");
  try {
    store.labels.readPlace("n1", "topic");
    assert.unreachable();
  } catch (error) {
    assert.is(exitCode(error), 4);
    assert.match((error as Error).message, /unread\.db: can't be read: /);
  }
  store.close();
});

test.run();
