import { spawnSync } from "node:child_process";
import { join } from "node:path";
import * as assert from "uvu/assert";
import { makeFolder } from "../folder.ts";
import { LIMIT_MS } from "../tools/awaited.ts";
import { test } from "../tools/contained.ts";
import { inFolder, killStation, startStation } from "../tools/stations.ts";
import { commandsIn, readPage } from "./pages.ts";

const TUTORIAL = readPage("docs/tutorial.md");
const PROGRAM = `"${process.execPath}" "${join(process.cwd(), "dist/motelearn.js")}"`;
const folder = makeFolder();

/** The commands' expected output, by their beginnings; other commands must only end with 0. */
const PRINTS: readonly (readonly [command: string, printed: RegExp])[] = [
  ["npm start", /^repeat +npx motelearn simulate --seed 1$/m],
  ["npx motelearn evaluate", /^ +cumulative error +\d/m],
  ["npx motelearn simulate one-scene --seed 7 --json", /"schema": "motelearn\.simulate\/1"/],
  ["npx motelearn plan", /^RAM +chunk bytes/m],
  ["npx motelearn flash", /mcconfig /],
  ["npx motelearn labels", /^ {2}this machine +same bits: [0-9a-f]{16}$/m],
];

/** The board of the last step is a process here that runs the same node: test:device has the emulated chip. */
const STAND_INS = [/^npm ci$/, /^npm run board /];

/** Runs a command of the tutorial in the folder; the program is this build. */
function runs(command: string, port: string): string {
  const line = command
    .replace(/^npm start$/, "npx motelearn simulate")
    .replace(/^npx motelearn/, PROGRAM)
    .replace("--port dist/emulator/tty", `--port unix:${port}`);
  const { status, stdout, stderr } = spawnSync("sh", ["-c", line], {
    cwd: folder,
    encoding: "utf8",
    timeout: LIMIT_MS,
  });
  assert.is(status, 0, `${command}: ${stdout}${stderr}`);
  return stdout;
}

test("every command of the tutorial runs, in its order, and prints what comes next", async () => {
  const port = inFolder("tutorial");
  const node = { sid: 1, channels: 2, learner: "olk-c", options: { budget: 32 } };
  const station = await startStation({ listen: port, node, fed: true, checkpoint: inFolder("tutorial.ck") });
  const commands = commandsIn(TUTORIAL);
  assert.ok(commands.length >= 10);
  const met = new Set<string>();
  for (const command of commands.filter((command) => !STAND_INS.some((of) => of.test(command)))) {
    const printed = runs(command, port);
    const [beginning, wanted] = PRINTS.find(([beginning]) => command.startsWith(beginning)) ?? [];
    if (!beginning || !wanted) continue;
    assert.match(printed, wanted, command);
    met.add(beginning);
  }
  assert.equal([...met].sort(), PRINTS.map(([beginning]) => beginning).sort());
  await killStation(station);
});

test.run();
