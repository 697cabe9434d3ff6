import { watchProgram } from "../host/terminal/exit.ts";

/** Loaded late: where the system opens no more files, the error is reported, too. */
async function run(): Promise<void> {
  await (await import("./program.ts")).runProgram(process.argv.slice(2));
}

const running = run();
watchProgram(running);
await running;
