// Learners after a stream on Node, and predict.c and learn.c, which continue from their memory without an
// engine.
import { imported } from "../../../targets/emulator/bundle.mjs";
import { buildProgram, runProgram } from "../../../targets/emulator/device.mjs";

/** What states.ts exports. */
export const states = () => imported("dev/device/bench/states.ts");

export async function buildPlain(isa) {
  const [predict, learn] = await Promise.all(
    ["predict", "learn"].map((name) => buildProgram(isa, `dev/device/bench/${name}.c`)),
  );
  return { predict, learn };
}

function floatBits(number) {
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, number);
  return view.getBigUint64(0).toString(16).padStart(16, "0");
}

/**
 * Predicts from a state that has an image. Returns the instructions, and a fault if the prediction differs
 * from the learner's in any bit.
 */
export async function predictPlain({ predict }, { image, prediction }) {
  const { code, text } = await runProgram(predict, [], image);
  const [bits, instructions] = text.trim().split(" ");
  const right = floatBits(prediction);
  if (code === 0 && bits === right) return { instructions: Number(instructions) };
  return { fault: `plain C predicts ${bits}, the learner ${right} (exit ${code})` };
}

/**
 * Learns the last steps from a state that has them. Returns the mean instructions of a step, and a fault if
 * it doesn't reach the learner's state.
 */
export async function learnPlain(program, { learn }) {
  const { code, text } = await runProgram(program.learn, [], learn.image);
  const [sum, instructions] = text.trim().split(" ");
  const right = learn.sum.toString(16).padStart(8, "0");
  if (code === 0 && sum === right) return { instructions: Number(instructions) };
  return { fault: `plain C learns ${sum}, the learner ${right} (exit ${code})` };
}
