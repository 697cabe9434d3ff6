import { spawn } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as assert from "uvu/assert";
import { test } from "../tools/contained.ts";
import { inFolder } from "../tools/stations.ts";
import { refusesHere, start, startLimited } from "./program.ts";

/** The scene that ships, but short. */
const SCENE = inFolder("scene.json");
const shipped = JSON.parse(readFileSync("host-sim/scenarios/one-scene.json", "utf8"));
writeFileSync(SCENE, JSON.stringify({ ...shipped, stream: { ...shipped.stream, samples: 300 } }));

/** Its exit code and stderr, when readers close the streams `closed` before it prints. */
async function readerGone(closed: readonly ("stdout" | "stderr")[], ...args: string[]) {
  const child = spawn(process.execPath, [join(process.cwd(), "dist/motelearn.js"), ...args]);
  let complaints = "";
  child.stderr.on("data", (chunk) => {
    complaints += chunk;
  });
  child.stdout.resume();
  for (const name of closed) child[name].destroy();
  const code = await new Promise((done) => child.on("close", done));
  return { code, complaints };
}

test("a folder for reports in which nothing can be made is named, by every command that has one", async () => {
  const file = inFolder("two.csv");
  writeFileSync(file, "1,0,a\n0,1,b\n1,1,a\n0,0,b\n");
  for (const [folder, why] of [
    ["/proc/x", "can't be written"],
    ["/proc", "can't be written"],
    [`${file}/reports`, "not a folder"],
  ]) {
    for (const args of [["simulate"], ["papers", "--only", "qkrls-table-5"], ["choose", "--train", file]])
      await refusesHere([...args, "--report", folder], `--report ${folder}: ${why}`);
  }
});

test("a test that waits for a word in vain fails with the word and what the program printed", async () => {
  const listen = `unix:${inFolder("patience")}`;
  const centre = start("fusion", "--listen", listen, "--scenario", "one-scene");
  await centre.says("listening");
  const told = await centre.says("a word that it never says", 0, 1).catch((error) => error.message);
  assert.match(
    told,
    /^fusion: to say a word that it never says: not in 0\.001 s; heard last: .*node 4: \d+ labels/s,
  );
  await centre.ended;
  assert.is(
    centre.child.signalCode,
    "SIGKILL",
    "what isn't of use any more doesn't keep the file from ending",
  );
});

test("a reader that closes the pipe ends the program quietly, with the exit code it had come to", async () => {
  const plan = ["plan", "--learner", "olk-c", "--dimension", "8"];
  const misfit = [...plan, "--target", "esp32c3", "--period", "0.1"];
  const listen = `unix:${inFolder("unread")}`;
  for (const [code, args] of [
    [0, ["learners", "--json"]],
    [0, plan],
    [3, misfit],
    [2, ["learners", "lool"]],
    [0, ["simulate", SCENE, "--report", inFolder("unread-reports")]],
    [141, ["fusion", "--listen", listen, "--scenario", SCENE]], // it hadn't ended by itself
  ] as const) {
    const { complaints, ...ended } = await readerGone(["stdout"], ...args);
    assert.equal(ended, { code }, args.join(" "));
    assert.is(complaints.split("\n").length - 1, code === 0 || code === 141 ? 0 : 1, complaints);
    assert.is((await readerGone(["stdout", "stderr"], ...args)).code, code, args.join(" "));
    if (code === 2 || code === 3)
      assert.is((await readerGone(["stderr"], ...args)).code, code, args.join(" "));
  }
});

test("a disk without room leaves an earlier file whole, and nothing of a new one", async () => {
  const data = inFolder("full.csv");
  writeFileSync(data, "a,b,label\n1,0,x\n0,1,y\n1,1,x\n0,0,y\n");
  const description = `${data}.data.json`;
  const key = inFolder("full.key");
  const project = inFolder("full-project");
  for (const args of [
    ["import", data],
    ["key", key],
    ["init", project],
    ["import", data, "--force"],
  ]) {
    const isForced = args.includes("--force");
    if (isForced) writeFileSync(description, "mine");
    const { code, stderr } = await startLimited("ulimit -f 0", ...args).ended;
    assert.is(code, 2, stderr);
    assert.match(stderr, /^motelearn: [^\n]*larger than the system allows\n$/);
    if (isForced) assert.is(readFileSync(description, "utf8"), "mine");
    else
      for (const file of [description, key, join(project, ".gitignore")]) assert.not(existsSync(file), file);
  }
  const reports = inFolder("full-reports");
  const simulate = ["simulate", SCENE, "--report", reports];
  await start(...simulate).ended;
  const report = join(reports, "scene-seed-1.html");
  const before = readFileSync(report, "utf8");
  const { code, stderr } = await startLimited("ulimit -f 16", ...simulate).ended;
  assert.is(code, 2, stderr);
  assert.match(stderr, /^motelearn: --report [^\n]*larger than the system allows\n$/m);
  assert.is(readFileSync(report, "utf8"), before);
});

test("a working directory that was removed is named", async () => {
  const folder = inFolder("removed-folder");
  const { code, stderr } = await startLimited(
    `mkdir "${folder}"; cd "${folder}"; rmdir "${folder}"`,
    "init",
    "x",
  ).ended;
  assert.is(code, 2, stderr);
  assert.is(stderr, "motelearn: the folder in which this runs was removed; go to another: cd\n");
});

test("too few files that may be open give one line, and what to do", async () => {
  for (const args of [
    ["simulate", SCENE],
    ["sweep", "--scenario", SCENE],
  ]) {
    const { code, stderr } = await startLimited("ulimit -n 29", ...args).ended;
    assert.is(code, 2);
    assert.match(stderr, /^motelearn: too many files are open \(EMFILE\)[^\n]*ulimit -n 1024\n$/);
  }
});

test.run();
