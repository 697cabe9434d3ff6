// Exact instruction counts against the committed table, counts.json.
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../../../targets/emulator/engine.mjs";
import { check } from "../checks.mjs";

const file = join(root, "targets/emulator/counts.json");
/** How far a count may lie from the table's, either way: cheaper counts fail, too. */
const MOST = 0.02;
const RENEW = "npm run test:device -- --counts";

const { chips: table } = JSON.parse(readFileSync(file, "utf8"));
const counted = {};

/** Notes a chip's instruction counts: a name, and numbers by name. */
export function count(chip, what, numbers) {
  counted[chip] ??= {};
  counted[chip][what] = numbers;
}

function findFault(given, numbers) {
  if (!given) return `isn't in targets/emulator/counts.json: ${RENEW} writes it`;
  const off = Object.keys({ ...given, ...numbers }).filter(
    (of) => !(Math.abs(numbers[of] / given[of] - 1) <= MOST),
  );
  const parts = off.map((of) => {
    const change = (100 * (numbers[of] / given[of] - 1)).toFixed(1);
    return `${of} ${numbers[of]}, which is ${change} % off the ${given[of]} of targets/emulator/counts.json`;
  });
  return parts.length > 0 ? `${parts.join("; ")}. If that is meant, ${RENEW} writes it again` : undefined;
}

/** Compares all notes with the table, and names chips that the table lacks. */
export function holdCounts() {
  for (const [chip, counts] of Object.entries(counted)) {
    if (!table[chip]) {
      console.log(`\n${chip}: no counts to hold it to; ${RENEW} --chip ${chip} takes them`);
      continue;
    }
    for (const [what, numbers] of Object.entries(counts)) {
      const fault = findFault(table[chip]?.[what], numbers);
      check(`${chip}, ${what}: instructions within 2 % of the table`, fault === undefined, fault);
    }
  }
}

/** Writes the notes; other chips' counts stay, and with `more` the same chips' counts, too. */
export function writeCounts(more) {
  const chips = { ...table };
  for (const [chip, counts] of Object.entries(counted)) chips[chip] = { ...(more && table[chip]), ...counts };
  writeFileSync(file, JSON.stringify({ made: RENEW, chips }));
  execFileSync(join(root, "node_modules/.bin/biome"), ["format", "--write", file], { stdio: "ignore" });
}
