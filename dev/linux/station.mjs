// A whole node in the program for x-cli-lin: its stdin and stdout on a socket, at which `motelearn labels`
// runs as for a board.
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { MOTELEARN } from "../../targets/emulator/own-project.mjs";
import { check } from "../device/checks.mjs";
import { start, startCentre } from "../device/test/commands.mjs";

const SAMPLES = 400;

/** The program with its port on a Unix socket, which stays when its power is cut. */
class WiredNode {
  errors = "";

  constructor(program, argument, path) {
    this.given = [program, [JSON.stringify(argument)]];
    this.server = createServer((socket) => {
      this.socket = socket;
      socket.on("error", () => {});
      socket.on("data", (bytes) => this.child.stdin.write(bytes));
    }).listen(path);
    this.start();
  }

  start() {
    this.child = spawn(...this.given);
    this.ended = new Promise((done) => this.child.on("close", done));
    this.child.stdin.on("error", () => {}); // what comes while it has no power is lost
    this.child.stdout.on("data", (bytes) => this.socket?.write(bytes));
    this.child.stderr.on("data", (text) => {
      this.errors += text;
    });
  }

  async reboot() {
    this.child.kill("SIGKILL");
    await this.ended;
    this.start();
  }

  /** Closes its input, which ends the program; resolves with its exit code. */
  close() {
    this.server.close();
    this.child.stdin.end();
    return this.ended;
  }
}

/**
 * One power cut at half of the labels; the node must end in the state of the simulator's, and compute the
 * same bits.
 */
export async function checkStation(program) {
  const place = mkdtempSync(join(tmpdir(), "motelearn-"));
  const centre = await startCentre(place, SAMPLES);
  const path = join(place, "wire");
  const node = new WiredNode(
    program,
    { run: "station", node: centre.node, flash: join(place, "flash") },
    path,
  );
  const events = [];
  let cut = false;
  const { ended } = start(
    [MOTELEARN, "labels", "--port", `unix:${path}`, "--from", centre.from, "--json"],
    (line) => {
      const event = JSON.parse(line);
      events.push(event);
      if (cut || event.event !== "label" || event.labelled < centre.labels / 2) return;
      cut = true;
      node.reboot();
    },
  );
  const { code, errors } = await ended;
  const left = await node.close();
  await centre.close();
  rmSync(place, { recursive: true });
  const restored = events.filter(({ event }) => event === "started").map(({ hello }) => hello.restore);
  const { state, labels, bits } = events.at(-1) ?? {};
  check("labels ends well", code === 0 && errors === "", [code, errors]);
  check("the node starts twice, the second time as it was", `${restored}` === "fresh,restored", restored);
  check("it ends in the state of the simulator's", state?.stateHash === centre.stateHash, events.at(-1));
  check("so does the whole node", state?.nodeHash === centre.nodeHash, state);
  check("each label is durable", labels?.durable === centre.labels, labels);
  check("same bits", bits?.verdict === "same bits" && bits.learner, bits);
  check("the program ends with its input, without a word", left === 0 && node.errors === "", [
    left,
    node.errors,
  ]);
  console.log(
    `\nA whole node over its wire: ${labels?.durable} labels durable, ${bits?.verdict}, ${state?.stateHash}`,
  );
}
