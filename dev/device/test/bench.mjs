// bench:device as a user runs it.
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { check } from "../checks.mjs";

/** bench:device measures: its runs once failed, as it passed a time limit in the place of a bank of flash. */
export async function checkBench() {
  const command = ["run", "--silent", "bench:device", "--", "--learner", "perceptron", "--json"];
  const { code = 0, stdout } = await promisify(execFile)("npm", command).catch((error) => error);
  const measured = code === 0 && JSON.parse(stdout).boards.every(({ learners: [{ learn }] }) => learn.c > 0);
  check("bench:device --learner perceptron measures", measured, { code, stdout });
}

export async function checkBenchRefusal() {
  const refusals = [
    [["--learner", "olk"], /^bench:device: no learner olk;/m],
    [["--frames", "--learner", "olk-c"], /^bench:device: takes --frames or --learner NAME$/m],
  ];
  for (const [given, line] of refusals) {
    const command = ["run", "--silent", "bench:device", "--", ...given];
    const { code, stderr } = await promisify(execFile)("npm", command).catch((error) => error);
    check(`bench:device ${given.join(" ")}: exit code 2 and a line`, code === 2 && line.test(stderr), {
      code,
      stderr,
    });
  }
}
