// What must fail on a chip, and how; and what must not differ from one run to the next.
import { CHIPS } from "../../../targets/emulator/chips.mjs";
import { runFirmware } from "../../../targets/emulator/device.mjs";
import { check, largest } from "../checks.mjs";
import { FILLED, SIZE } from "./bed.mjs";

/** Before its cause was found, one run in three differed from the rest. */
const REPEATS = 12;

/**
 * Several concurrent runs of one program, so that the host's clock differs, print the same lines to the last
 * digit.
 */
export async function checkRepeats({ firmware }, chip) {
  const argument = { run: "olk-c", steps: FILLED, settled: 0, path: "c", ...SIZE };
  const runs = await Promise.all(
    Array.from({ length: REPEATS }, () => runFirmware(firmware[chip], argument)),
  );
  const different = [...new Set(runs.map((result) => JSON.stringify(result)))];
  check(`${chip}: ${REPEATS} runs of one program say the same`, different.length === 1, different);
}

export async function checkFailures({ firmware }, chip) {
  const on = (argument) => runFirmware(firmware[chip], { steps: 1, path: "c", dimension: 8, ...argument });
  const most = await largest(1024, async (budget) => (await on({ run: "node", budget })).code === 0);
  console.log(
    `\n${chip}: a node with OLK-C (3 channels, windows of 8, 32 pending) has room for a budget of ${most}`,
  );
  const failures = [
    ["one row too large", 71, /memory full: \d+ bytes asked, \d+ left/, { run: "node", budget: most + 1 }],
    ["deep recursion", 72, /stack overflow/, { run: "recursion" }],
    ["uncaught exception", 75, /RangeError: nobody catches this/, { run: "exception" }],
    ["endless loop", 77, /watchdog: no step ended/, { run: "endless" }],
  ];
  for (const [name, code, line, argument] of failures) {
    const result = await on(argument);
    const clean = result.code === code && result.lines.length === 1 && line.test(result.lines[0]);
    check(`${chip}, ${name}: exit code ${code} and one line`, clean, result);
    console.log(`${name}: exit ${result.code}, "${result.lines[0]}"`);
  }
  const written = await runFirmware(firmware[chip], "write flash");
  check(
    `${chip}: flash can't be written`,
    written.code === 99 && written.lines[0].includes(`trap ${CHIPS[chip].writeTrap} `),
    written,
  );
}
