// The whole node on the emulated board, from outside: firmware in QEMU, and at its wire the commands as a
// user runs them, `fusion`, `labels` and `monitor`, processes of their own like the line that spoils frames.
// The node must end in the simulator's state, whatever happens to line and power.
import { mkdtempSync, rmSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startBoard } from "../../../targets/emulator/board.mjs";
import { MOTELEARN } from "../../../targets/emulator/own-project.mjs";
import { check, printTable } from "../checks.mjs";
import { LIMIT_MS, start, startCentre, startReady } from "./commands.mjs";
import { builtPeer, withBoard } from "./peers.mjs";

/** Samples of each mote; labels for most of them come. */
const MANY = 400;
const FEW = 120;
const SPOILT = { seed: 1, rate: 0.3 };
/** In which the board computes all along: a peer without credit has filled its FIFO by then. */
const TURN_MS = 40;
const SPOILT_TWICE = { "30 % spoilt, two reboots": { count: FEW, spoilt: SPOILT, reboots: 2 } };
/** A node's log line when its FIFO lost bytes. */
const OVERRUN = /uart: (\d+) bytes overran/;

/** The ends that ask a node for its description: `labels` and `monitor`. */
const ENDS = 2;

/** The line that spoils frames. */
async function startProxy(given) {
  let heard = {};
  const { child, ended } = await startReady([await builtPeer("proxy"), JSON.stringify(given)], (line) => {
    if (line.startsWith("{")) heard = JSON.parse(line);
  });
  return async () => {
    child.kill("SIGTERM");
    await ended;
    return heard;
  };
}

/**
 * `motelearn monitor`, which shares the port; resolves with its exit code, and the engine's memory over time.
 */
async function startMonitor(port, share, last) {
  const memory = new Set();
  const given = ["--port", port, "--share", `unix:${share}`, "--json"];
  const { child, ended } = await startReady([MOTELEARN, "monitor", ...given], (line) => {
    const { type, labelled, losses } = JSON.parse(line);
    // Texts take memory when a peer queries them: the state's hashes at the end, the description at the start. So would a log line, but there
    // is none.
    if (type === "status" && losses && labelled < last) memory.add(`${losses.slots} ${losses.chunks}`);
  });
  return async () => {
    child.stdin.write("q");
    return { ...(await ended), memory: [...memory] };
  };
}

/** Runs a board to the end of its stream. `reboots`: how often its power is cut under way. */
async function run(centre, firmware, { pty = false, monitor = false, spoilt, reboots = 0, ...argument }) {
  const place = mkdtempSync(join(tmpdir(), "motelearn-"));
  const at = (name) => join(place, name);
  const uart = pty ? { pty: at("wire") } : { unix: at("wire") };
  const station = { run: "station", node: centre.node, selfTest: false, ...argument };
  const board = await startBoard({ firmware, argument: station, uart, flash: at("flash") });
  const wire = pty ? at("wire") : `unix:${at("wire")}`;
  const stopProxy = spoilt ? await startProxy({ listen: at("line"), to: at("wire"), ...spoilt }) : undefined;
  const stopMonitor = monitor ? await startMonitor(wire, at("share"), centre.labels) : undefined;
  const port = spoilt ? `unix:${at("line")}` : monitor ? `unix:${at("share")}` : wire;
  const cuts = Array.from({ length: reboots }, (_, i) => ((i + 1) * centre.labels) / (reboots + 1));
  const events = [];
  const given = ["--port", port, "--from", centre.from, "--window", `${centre.node.labelWindow}`, "--json"];
  const { ended } = start([MOTELEARN, "labels", ...given], (line) => {
    const event = JSON.parse(line);
    events.push(event);
    if (event.labelled <= cuts[0] || !(cuts.length > 0 && event.event === "label")) return;
    cuts.shift();
    board.reboot();
  });
  const found = { ended: await ended, events, monitor: await stopMonitor?.(), frames: await stopProxy?.() };
  const printed = board.lines();
  await board.close();
  rmSync(place, { recursive: true });
  const of = (name) => events.filter(({ event }) => event === name);
  const starts = of("started").map(({ hello }) => hello);
  return { ...found, printed, starts, logged: of("log"), summary: of("summary").at(-1) ?? {} };
}

function checkRun(name, { reboots = 0, selfTest, spoilt, monitor }, centre, found) {
  const { ended, starts, logged, printed, summary } = found;
  const { state, simulated, labels = {}, samples, bits } = summary;
  const holds = (what, is, shown) => check(`${name}: ${what}`, is, shown);
  holds("labels ends well", ended.code === 0 && ended.errors === "", [ended, summary]);
  const same = simulated?.same && state.stateHash === centre.stateHash;
  holds("ends in the state of the simulator's node", same, summary);
  holds("so does the whole node", state?.nodeHash === centre.nodeHash, summary);
  const { applied, expired, refused } = labels.counted ?? {};
  holds("each label was answered once", applied + expired + refused === centre.labels, labels);
  holds("each is durable", labels.durable === centre.labels, labels);
  holds("each sample was fed, and none lost", samples?.fed === centre.samples && samples.lost === 0, samples);
  const restored = starts.map(({ restore }) => restore);
  const others = restored.slice(1).every((restore) => restore !== "fresh");
  holds(`${reboots} reboots`, restored.length === reboots + 1 && restored[0] === "fresh" && others, starts);
  if (!spoilt) holds("no byte overran", logged.length === 0, logged);
  holds("the firmware has no complaint", printed.length === 0, printed);
  if (spoilt) {
    const shares = ["down", "up"].map((way) => found.frames[way].spoilt / found.frames[way].frames);
    holds(
      "so many frames were",
      shares.every((share) => share > (2 / 3) * spoilt.rate),
      found.frames,
    );
    // A spoilt hello isn't a node's: it is asked for again. Any other log fails.
    const unexplained = logged.filter(({ text }) => !text.startsWith("asked for hello, not welcomed"));
    const overran = Math.max(
      0,
      ...unexplained.map(({ text }) => Number(OVERRUN.exec(text)?.[1] ?? Number.NaN)),
    );
    holds("no more bytes overran than the line added", overran <= found.frames.down.unforeseen, [
      logged,
      found.frames,
    ]);
  }
  if (monitor) {
    holds("the monitor ends well", found.monitor.code === 0, found.monitor);
    const { memory } = found.monitor;
    holds("but for a description to each end, its memory stays as it is", memory.length <= 1 + ENDS, memory);
  }
  if (selfTest) holds("same bits", bits?.verdict === "same bits" && bits.learner, bits);
}

/** The node's report on its UART's FIFO when a peer sends that much at once, without credit. */
async function overrunBy(firmware, bytes) {
  const node = { sid: 1, channels: 3, learner: "olk-c", options: { budget: 8 } };
  const argument = { run: "station", node, selfTest: false, turnMs: TURN_MS };
  return withBoard(firmware, argument, async (_, unix) => {
    const socket = connect(unix);
    const said = await new Promise((done) => {
      let text = "";
      const limit = setTimeout(() => done(text), LIMIT_MS);
      // A board that sends has begun its turns.
      socket.once("data", () => socket.write(Buffer.alloc(bytes, 1)));
      socket.on("data", (chunk) => {
        text += chunk.toString("latin1");
        const line = OVERRUN.exec(text);
        if (!line) return;
        clearTimeout(limit);
        done(line[0]);
      });
    });
    socket.destroy();
    return said;
  });
}

/** The runs of a chip without others. */
const USUAL_RUNS = { "over a socket": { count: FEW, selfTest: true } };
/** The runs of each chip that has its own. */
const RUNS = {
  rv32imac: {
    "over a socket": { count: MANY },
    "over a pty": { count: FEW, pty: true, selfTest: true },
    "over a pty that a monitor shares": { count: FEW, pty: true, monitor: true },
    [`turns of ${TURN_MS} ms`]: { count: FEW, turnMs: TURN_MS },
    "30 % spoilt": { count: FEW, spoilt: SPOILT },
    ...SPOILT_TWICE,
  },
  rv32imafc: {
    "over a socket that a monitor shares, two reboots": { count: FEW, monitor: true, reboots: 2 },
  },
  m4f: { "over a pty": { count: FEW, pty: true, selfTest: true }, ...SPOILT_TWICE },
  m33: { ...USUAL_RUNS, ...SPOILT_TWICE },
};

/** Checks the boards; all at once, as they mostly wait. */
export async function checkBoards(firmware) {
  const place = mkdtempSync(join(tmpdir(), "motelearn-"));
  const centres = { [FEW]: await startCentre(place, FEW), [MANY]: await startCentre(place, MANY) };
  const runs = Object.keys(firmware).flatMap((chip) =>
    Object.entries(RUNS[chip] ?? USUAL_RUNS).map(([name, given]) => ({
      chip,
      name: `${chip}, ${name}`,
      given,
    })),
  );
  const rows = await Promise.all(
    runs.map(async ({ chip, name, given: { count, ...given } }) => {
      const found = await run(centres[count], firmware[chip], given);
      checkRun(name, given, centres[count], found);
      return [name, found.summary];
    }),
  );
  for (const centre of Object.values(centres)) await centre.close();
  rmSync(place, { recursive: true });
  printTable("Nodes at their wire: what labels made of the recorded network", [
    ["", "samples", "fed again", "labels", "sent again", "bytes lost", "state"],
    ...rows.map(([name, { labels, samples, link, state }]) => [
      ...[name, samples?.fed, samples?.refed, labels?.durable, labels?.resent, link?.bytesLost],
      state?.stateHash,
    ]),
  ]);
  for (const [chip, one] of Object.entries(firmware)) {
    const said = await overrunBy(one, 2000);
    check(
      `${chip}: a peer that ignores credit overruns the FIFO, and the node reports it`,
      OVERRUN.test(said),
      said,
    );
  }
}
