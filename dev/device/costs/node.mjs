// Costs of a node besides its learner: features, spectrum, wire, optional parts.

import { fitRows, model, outcomes } from "./runs.mjs";
import { FITTED_SHAPES, FITTED_SPECTRA, HELD_OUT_SPECTRA, MEASURED, SHAPES, steps } from "./sizes.mjs";

export function nodeArgument(learner, [channels, window, standardise]) {
  const node = { learner, options: {}, channels, window, standardise };
  return { run: "node", budget: 20, dimension: 1, steps: steps(20, learner), node };
}

/** The node's work besides its learner: measured around the linear learner, whose own cost is subtracted. */
export async function measureNode(firmware) {
  const dimensions = SHAPES.map(([channels, window]) => (window > 0 ? 3 * channels : channels));
  const alone = await outcomes(
    firmware,
    dimensions.map((dimension) => ({ run: "pa", dimension, budget: 1, steps: steps(20) })),
  );
  const found = await outcomes(
    firmware,
    SHAPES.map((shape) => nodeArgument("pa", shape)),
  );
  const rows = found.map((o, i) => {
    const [channels, window, standardise] = SHAPES[i];
    const terms = model.nodeTerms({ channels, window, standardise, dimension: dimensions[i] });
    return { terms, cost: o.perStep - alone[i].perPredict - alone[i].perStep };
  });
  return fitRows(rows, FITTED_SHAPES.length);
}

export function spectralArgument(learner, [sensors, window, bands, count, burst]) {
  const lines = Array.from({ length: count }, (_, l) => (l + 1) / 64);
  const { node, ...argument } = nodeArgument(learner, [sensors * burst, window, true]);
  const full = Math.ceil(window / burst) + MEASURED;
  return { ...argument, steps: Math.max(argument.steps, full), node: { ...node, bands, lines, burst } };
}

/** The additional cost of a spectrum over a node with as many features. */
export async function measureSpectrum(firmware, node) {
  const spectra = [...FITTED_SPECTRA, ...HELD_OUT_SPECTRA];
  const shapes = spectra.map(([sensors, window, bands, lines, burst]) => ({
    ...{ channels: sensors * burst, window, standardise: true, dimension: sensors * (bands + 2 + lines) },
    spectrum: { sensors, bands, lines },
  }));
  const alone = await outcomes(
    firmware,
    shapes.map(({ dimension }) => ({ run: "pa", dimension, budget: 1, steps: steps(20) })),
  );
  const found = await outcomes(
    firmware,
    spectra.map((spectrum) => spectralArgument("pa", spectrum)),
  );
  const rows = found.map((o, i) => {
    const rest =
      alone[i].perPredict + alone[i].perStep + model.cost(node.coefficients, model.nodeTerms(shapes[i]));
    return { terms: model.spectrumTerms(shapes[i], shapes[i].spectrum), cost: o.perStep - rest };
  });
  return fitRows(rows, FITTED_SPECTRA.length);
}

/** The same node behind its wire. */
export const onWire = (argument, line) => ({ ...argument, run: "wire", line });
/** Steps after which no checkpoint is due. */
const QUIET = 290;

const BARE = { ...nodeArgument("pa", [2, 0, false]), steps: QUIET };
export const LINE = { quiet: true };
/**
 * A UART as the chip's driver moves its bytes: in one call on an ESP32, which the RISC-V chips stand for,
 * else one by one.
 */
const chipLine = (chip) => ({ ...LINE, uart: !chip.startsWith("rv32") });

/** The wire's additional cost of a sample and its label. */
export async function measureWire(firmware) {
  const [without, behind] = await outcomes(firmware, [BARE, onWire(BARE, LINE)]);
  return behind.perStep - without.perStep;
}

/** Two nodes, one with the part and one without, at the chip's UART, so that additional traffic counts. */
export function makePair(chip, part) {
  const uart = chipLine(chip);
  const of = (learner, beside, line = uart) => {
    const { node, ...argument } = BARE;
    return onWire({ ...argument, node: { ...node, learner, ...beside } }, line);
  };
  const plain = of("pa");
  const pairs = {
    requests: [of("pa", { labelBudget: 0.25 }), plain],
    sets: [of("pa", { coverage: 0.9 }), plain],
    intervals: [of("norma-r/given", { coverage: 0.9 }), of("norma-r/given")],
    drift: [of("pa", { drift: "watch" }), plain],
    balance: [of("pa/balanced"), plain],
    alarms: [of("robust-z/alarms"), of("robust-z")],
    residual: [of("rls/residual"), of("rls")],
    uart: [plain, of("pa", {}, LINE)],
    keyed: [of("pa", {}, { ...uart, keyed: true }), plain],
    keyedLabels: [of("pa", {}, { ...uart, keyedLabels: true }), plain],
  };
  return pairs[part];
}

export const PARTS = [
  ...["requests", "sets", "intervals", "drift", "balance", "alarms", "residual"],
  ...["uart", "keyed", "keyedLabels"],
];

/** Each optional part's additional cost of a sample and its label. */
export async function measureParts(firmware, chip) {
  const found = {};
  for (const part of PARTS) {
    const [having, without] = await outcomes(firmware, makePair(chip, part));
    found[part] = Math.max(0, having.perStep - without.perStep);
  }
  return found;
}
