// node dev/linux/moddable.mjs PROGRAM: every learner, the node loop and a whole node over its wire
// in the program that mcconfig built for x-cli-lin, against Node: the same state to the bit, no slot and no
// byte of chunks more, clean failures, and mods. Takes the SDK's tools on PATH.
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { promisify } from "node:util";
import { bundle } from "../../targets/emulator/bundle.mjs";
import { check, close, each, outcomeOf, printTable } from "../device/checks.mjs";
import { checkMods } from "./mods.mjs";
import { checkStation } from "./station.mjs";

const ARGUMENT = { steps: 10_000, settled: 1_000, dimension: 8, budget: 64 };

const program = process.argv[2];
if (!program || !existsSync(program)) {
  console.error(`moddable: program ${program}: none there; takes what "mcconfig -m -p x-cli-lin" built`);
  process.exit(1);
}

const { node } = await bundle();

function onModdable(argument) {
  return new Promise((done) => {
    execFile(program, [JSON.stringify(argument)], (error, stdout, stderr) => {
      const lines = (text) => text.split("\n").filter((line) => line !== "");
      done({ code: error ? (error.code ?? 1) : 0, lines: lines(stdout), errors: lines(stderr) });
    });
  });
}

async function onNode(argument) {
  const { stdout } = await promisify(execFile)(process.execPath, [node, JSON.stringify(argument)]);
  return JSON.parse(stdout);
}

const rows = await each(await onNode({ run: "names" }), async (run) => {
  const ts = await onNode({ ...ARGUMENT, run, path: "js" });
  const c = outcomeOf(await onModdable({ ...ARGUMENT, run, path: "c" }));
  check(`${run}: ends where Node does`, c.hash === ts.hash, c);
  check(`${run}: nothing allocated`, c.slotsMore === 0 && c.chunksMore === 0 && c.collections === 0, c);
  return [run, ts.hash, c.hash, c.bytes, c.slots, c.chunks];
});
printTable(`State hashes after ${ARGUMENT.steps} steps`, [
  ["d=8, budget=64", "Node TS", "XS C", "range B", "slots", "chunks B"],
  ...rows,
]);

for (const [run, code, line] of [
  ["recursion", 72, /stack overflow/],
  ["exception", 75, /RangeError: nobody catches this/],
]) {
  const result = await onModdable({ ...ARGUMENT, run, path: "c" });
  check(
    `${run}: exit code ${code} and one line`,
    result.code === code && line.test(result.errors[0]),
    result,
  );
}
checkMods(program);
await checkStation(program);
close();
