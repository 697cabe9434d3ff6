// npm run board -- [options]: a node on the emulated board, for trying the tools without hardware. It runs until Ctrl-C; its
// flash is a file, so that it goes on where it was when it is started again.
import { parseArgs } from "node:util";
import { boardFirmware, startBoard } from "./board.mjs";
import { ISAS, lackOf } from "./device.mjs";

const OPTIONS = {
  unix: { type: "string" },
  tcp: { type: "string" },
  pty: { type: "string" },
  flash: { type: "string", default: "dist/emulator/flash" },
  isa: { type: "string", default: "rv32imac" },
  learner: { type: "string", default: "olk-c" },
  budget: { type: "string" },
  "sample-ms": { type: "string", default: "1000" },
};
const USAGE = `takes --unix PATH, --tcp PORT or --pty PATH (default: --pty dist/emulator/tty), --flash FILE, \
--isa ${Object.keys(ISAS).join("|")}, --learner NAME, --budget N, --sample-ms N (0: samples are fed over the wire)`;

class UsageError extends Error {}

function given() {
  try {
    return parseArgs({ options: OPTIONS }).values;
  } catch (error) {
    throw new UsageError(`${error.message.split(". ")[0]}; ${USAGE}`);
  }
}

function whole(name, text) {
  if (!/^\d{1,6}$/.test(text)) throw new UsageError(`--${name}: got ${text}; takes a whole number`);
  return Number(text);
}

function settled() {
  const { unix, tcp, pty, ...values } = given();
  if ([unix, tcp, pty].filter((end) => end !== undefined).length > 1) {
    throw new UsageError("more than one end; takes one of --unix, --tcp and --pty");
  }
  if (!ISAS[values.isa])
    throw new UsageError(`--isa: got ${values.isa}; takes ${Object.keys(ISAS).join(" or ")}`);
  const uart = unix ? { unix } : tcp ? { tcp: whole("tcp", tcp) } : { pty: pty ?? "dist/emulator/tty" };
  const options = values.budget === undefined ? {} : { budget: whole("budget", values.budget) };
  const node = { sid: 1, channels: 3, checkpointEvery: 20, learner: values.learner, options };
  const sampleMs = whole("sample-ms", values["sample-ms"]);
  return { isa: values.isa, uart, flash: values.flash, argument: { run: "station", node, sampleMs } };
}

async function main() {
  const { isa, ...options } = settled();
  const lack = lackOf("board");
  if (lack) throw new Error(lack);
  const board = await startBoard({ ...options, firmware: await boardFirmware(isa) });
  const { unix, tcp, pty } = options.uart;
  console.log(`at ${pty ?? (unix ? `unix:${unix}` : `tcp://localhost:${tcp}`)}; Ctrl-C ends it`);
  let interrupted = false;
  process.once("SIGINT", () => {
    interrupted = true;
    board.cutPower();
  });
  await board.ended;
  const said = board.lines().at(-1) ?? "QEMU ended";
  await board.close();
  if (!interrupted) throw new Error(said.replace(/^machine: /, ""));
}

try {
  await main();
} catch (error) {
  console.error(`board: ${error.message.replace(/^board: /, "")}`);
  process.exitCode = error instanceof UsageError ? 2 : 1;
}
