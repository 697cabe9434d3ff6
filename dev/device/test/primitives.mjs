// The primitives in C: as a board gets them, on random vectors, and beside plain C.
import { execFile } from "node:child_process";
import { loadFused } from "../../../targets/emulator/bundle.mjs";
import { CHIPS } from "../../../targets/emulator/chips.mjs";
import { contractedObject, letOthersFirst, listingInputs } from "../../../targets/emulator/device.mjs";
import { buildPlain, learnPlain, predictPlain, states } from "../bench/plain.mjs";
import { check, each } from "../checks.mjs";
import { FILLED, SIZE } from "./bed.mjs";

/** Random vectors of each primitive. */
const VECTORS = 100_000;

/** Flash's verdict on an object of f32.c; "well" if it would put it on a board. */
function verdictOn(refuseFused, objdump, object) {
  try {
    refuseFused(objdump, object);
    return "well";
  } catch (error) {
    return error.message;
  }
}

/**
 * Flash takes the chip's own object of f32.c; where the chip can fuse, it refuses one that was compiled to.
 */
export async function checkFused(chip) {
  const { refuseFused } = await loadFused();
  const { objdump, object } = listingInputs(chip);
  const own = verdictOn(refuseFused, objdump, object);
  check(`${chip}: f32.c has no fused instruction`, own === "well", own);
  const { fuses } = CHIPS[chip];
  if (!fuses) return;
  const contracted = verdictOn(refuseFused, objdump, await contractedObject(chip));
  const refused = contracted.includes(`holds ${fuses}, `);
  check(`${chip}: f32.c with contraction on is refused`, refused, contracted);
}

/** TypeScript, WebAssembly, C here and C on the chips agree. */
export async function checkPrimitives() {
  const given = ["--vectors", VECTORS, "--seed", "1", "--device"].map(String);
  const { code, lines } = await new Promise((done) => {
    const child = execFile("npm", ["run", "--silent", "fuzz:math", "--", ...given], (error, stdout) => {
      done({ code: error ? error.code : 0, lines: stdout.trim().split("\n") });
    });
    letOthersFirst(child);
  });
  check(`${VECTORS} random vectors a primitive end the same on every path`, code === 0, lines);
  console.log(`\nPrimitives: ${lines[0]}: ${lines.at(-1)}`);
}

/** What bench:device compares the learners with does the same work. */
export async function checkPlainC(chip) {
  const { NAMES, stateAfter } = await states();
  const plain = await buildPlain(chip);
  await each(NAMES, async (name) => {
    const state = stateAfter(name, SIZE.dimension, SIZE.budget, FILLED);
    const { fault } = state.image ? await predictPlain(plain, state) : {};
    check(`${name}: ${chip} predicts in plain C what the learner does`, fault === undefined, fault);
    const { fault: other } = state.learn ? await learnPlain(plain, state) : {};
    check(`${name}: ${chip} learns in plain C what the learner does`, other === undefined, other);
  });
}
