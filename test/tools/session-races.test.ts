import * as assert from "uvu/assert";
import { DeviceError } from "../../host/errors.ts";
import { RESTORE_STATUS } from "../../src/node/handshake.ts";
import { REQUEST, ROLLBACK_STATUS } from "../../src/node/requests.ts";
import { SAVE_STATUS } from "../../src/store/checkpoint-store.ts";
import { Session } from "../../tools/session/session.ts";
import { Interrupted } from "../../tools/session/waits.ts";
import { endsWithTest, test } from "./contained.ts";
import { ScriptedNode } from "./scripted-node.ts";

/** A session by a clock that its test sets, with a node that has started. */
async function meet(name: string, options: Partial<Parameters<typeof Session.open>[0]> = {}) {
  const node = new ScriptedNode(name);
  node.start(1);
  const time = { now: 0 };
  const clock = { now: () => time.now };
  const session = await Session.open({ port: node.port, giveUp: 0, clock, ...options });
  endsWithTest(() => session.close());
  await session.awaitHello();
  await node.hears(REQUEST.description); // so it has credit
  return { node, session, time };
}

const failure = (promise: Promise<unknown>) =>
  promise.then(
    () => "it didn't fail",
    (error: Error) => error,
  );

test("a node that takes long to go back is asked for it once: another start isn't", async () => {
  const { node, session, time } = await meet("slow-rollback");
  const rolledBack = session.rollback();
  await node.hears("rollback");
  node.grants = false;
  node.start(2, { restore: RESTORE_STATUS.fallback, labelled: 4 });
  node.say("rollback", { start: 0, status: ROLLBACK_STATUS.fallback });
  await session.until(() => session.hello?.boot === 2);
  await node.hears("welcome", node.count("welcome") + 1);
  time.now = 1500;
  await session.until(() => true);
  node.grant();
  assert.is((await rolledBack)?.labelled, 4);
  const state = session.ask("state");
  await node.hears(REQUEST.state);
  assert.is(node.count("rollback"), 1);
  node.say("state", { labelled: 4 });
  assert.is((await state).labelled, 4);
});

test("a node that starts by itself while it is asked to go back hasn't gone back", async () => {
  const { node, session } = await meet("other-start");
  const rolledBack = failure(session.rollback());
  await node.hears("rollback");
  node.start(2, { restore: RESTORE_STATUS.restored, seq: 9, labelled: 4 });
  const error = await rolledBack;
  assert.instance(error, DeviceError);
  assert.is(
    (error as Error).message,
    `${node.port}: the node started before it answered: it resumes after sample 9 and label 4`,
  );
});

test("what was given up before credit allowed it is never sent", async () => {
  const { node, session } = await meet("given-up");
  node.grants = false;
  node.start(2);
  await session.until(() => session.hello?.boot === 2);
  const giveUp = new AbortController();
  const asked = [
    session.rollback(giveUp.signal),
    session.checkpoint(1, () => {}, giveUp.signal),
    session.configure({ samples: 1 }, giveUp.signal),
  ].map(failure);
  const why = new Error("nobody waits");
  giveUp.abort(why);
  for (const each of asked) assert.is(await each, why);
  const state = session.ask("state");
  node.grant();
  await node.hears(REQUEST.state);
  for (const what of ["rollback", REQUEST.checkpoint, REQUEST.configuration, "configuration"] as const)
    assert.is(node.count(what), 0, String(what));
  node.say("state", {});
  await state;
});

test("what keeps a node from being taught is said again after the line was cut, as that was said last", async () => {
  const said: string[] = [];
  const { node, session, time } = await meet("held", {
    events: {
      lost: () => void said.push("lost"),
      reopened: () => void said.push("reopened"),
      obstructed: (why) => void said.push(why ?? "free"),
    },
  });
  const other = 0xab;
  for (let k = 0; k < 2; k++) node.grant({ peer: other });
  await session.until(() => said.length === 1);
  node.grants = false;
  node.cut();
  await session.until(() => said.length >= 3 && session.port.open);
  time.now = 100;
  await session.until(() => said.length === 4);
  const [why] = said;
  assert.match(why, /^another program holds the node/);
  assert.equal(said, [why, "lost", "reopened", why]);
});

test("while the line is cut, that is why no label is answered", async () => {
  const said: string[] = [];
  const label = { sid: 9, seq: 1, y: 1, source: 0, confidence: 255 };
  const { node, session, time } = await meet("unanswered", {
    labels: { at: (number) => (number === 1 ? { number, ...label } : undefined), durable: () => {} },
    events: {
      lost: () => void said.push("lost"),
      obstructed: (why) => void said.push(why ?? "free"),
    },
  });
  await node.hears("label");
  node.close();
  await session.until(() => said.length === 1);
  time.now = 6000;
  session.hasten();
  assert.equal(said, ["lost"]);
});

test("a session that closes ends all waits, and those that begin later, as a change that had to wait for another", async () => {
  const { session } = await meet("closing");
  const changes = [{ samples: 1 }, { statisticsMs: 300 }].map((change) => failure(session.configure(change)));
  await session.until(() => true);
  session.interrupt(); // ends the first, so that the second begins
  const closed = session.close();
  for (const each of [...changes, failure(session.ask("state"))]) assert.instance(await each, Interrupted);
  await closed;
});

test("a change isn't confirmed by answers to what others asked before the node had it", async () => {
  const { node, session, time } = await meet("asked-before");
  const options = { checkpointEvery: 8, statisticsEvery: 0, statisticsMs: 1000, predictions: 1, samples: 1 };
  const changed = session.configure({ checkpointEvery: 2 });
  let isOver = false;
  changed.then(() => {
    isOver = true;
  });
  await node.hears(REQUEST.configuration);
  node.say("configuration", options);
  await node.hears("configuration"); // and it is lost
  for (let others = 0; others < 3; others++) node.say("configuration", options);
  const statistics = session.ask("statistics");
  await node.hears(REQUEST.statistics);
  node.say("statistics", {});
  await statistics;
  assert.not.ok(isOver);
  time.now = 1000;
  await node.hears("configuration", 2);
  node.say("configuration", { ...options, checkpointEvery: 2 });
  assert.is((await changed).checkpointEvery, 8);
});

test("a node that starts before it keeps a checkpoint keeps one once it has learned the labels again", async () => {
  const { node, session } = await meet("learns-again");
  node.start(2, { labelled: 0 });
  await session.until(() => session.hello?.boot === 2 && session.peer.credit.largest > 0);
  let durable = 0;
  node.on = (name) => {
    if (name === "request" && node.message("request").what === REQUEST.checkpoint)
      node.say("checkpoint", { status: SAVE_STATUS.kept, waitMs: 0, durable });
  };
  const kept = session.checkpoint(3);
  await node.hears(REQUEST.checkpoint);
  for (let answers = 1; answers <= 20; answers++) {
    const statistics = session.ask("statistics");
    await node.hears(REQUEST.statistics, answers);
    node.say("statistics", {});
    await statistics;
  }
  durable = 3;
  node.grant({ seq: 3, labelled: 3, durable: 0 });
  await node.hears(REQUEST.checkpoint, 2);
  node.grant({ seq: 3, labelled: 3, durable: 3 });
  assert.ok(await kept);
});

test.run();
