// A node's keys in NVS: `flash` brings them, the firmware hasn't them, and the node takes only what they allow.
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { MOTELEARN } from "../../targets/emulator/own-project.mjs";
import { check } from "../device/checks.mjs";
import { start } from "../device/test/commands.mjs";
import { drawRows, NODE, partitionIn, restart, startFresh, teach, writeRows } from "./node.mjs";

const SAMPLES = 60;
/** Seconds after which a command gives up a node that it doesn't understand. */
const GIVE_UP_S = 5;
const [FIRMWARE, ARRIVAL, STORE] = ["ota_0", "keys", "nvs"];

/** Makes a key; its file, and its bytes. */
async function makeKey(name) {
  const file = join(NODE, name);
  rmSync(file, { force: true });
  await start([MOTELEARN, "key", file], () => {}).ended;
  return { file, bytes: Buffer.from(readFileSync(file, "utf8").trim(), "hex") };
}

/** Where the flash has which keys. */
function checkFlash(keys) {
  const has = (name) => keys.map(({ bytes }) => partitionIn(NODE, name).includes(bytes));
  check("NVS has both keys", !has(STORE).includes(false), has(STORE));
  check("the firmware has none", !has(FIRMWARE).includes(true), has(FIRMWARE));
  const isErased = partitionIn(NODE, ARRIVAL).every((byte) => byte === 0xff);
  check("nor the partition in which they came", isErased, has(ARRIVAL));
}

/** Returns the learner. */
export async function tryKeys(learner) {
  const from = writeRows(NODE, drawRows(SAMPLES));
  const [line, labels] = [await makeKey("line.key"), await makeKey("label.key")];
  const lineKey = ["--key", line.file];
  const both = [...lineKey, "--label-key", labels.file];
  let board = await startFresh(learner, NODE, from, ...both);
  checkFlash([line, labels]);
  const stranger = await teach(from, "--give-up", GIVE_UP_S);
  check("a labeller without a key isn't heard", /the node is keyed/.test(stranger.errors), stranger);
  const forger = await teach(from, ...lineKey, "--give-up", GIVE_UP_S);
  const { applied } = forger.summary.labels?.counted ?? {};
  check("labels without a tag aren't learned", forger.code !== 0 && !applied, forger);
  const taught = await teach(from, ...both);
  check("labels with both keys are learned", taught.code === 0, taught.errors);
  check("to this machine's state", taught.summary.compared?.same === true, taught.summary.compared);
  await board.cut();
  board = await restart(NODE);
  const again = await teach(from, ...both);
  check("after a power cut the node has its keys", again.starts[0]?.restore === "restored", again);
  check(
    "and its state",
    again.summary.state?.stateHash === taught.summary.state?.stateHash,
    again.summary.state,
  );
  await board.cut();
  return { learner };
}
