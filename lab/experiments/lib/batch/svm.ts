import { gaussianGamma, type KernelOption } from "../../../../src/kernel/kernel.ts";
import { BatchExpansion, checkSamples } from "./expansion.ts";

type Libsvm = typeof import("libsvm-js/asm.js").default;

/** LIBSVM's stopping tolerance, its default. */
const TOLERANCE = 1e-3;

/** LIBSVM is loaded when a machine is first trained: it takes memory that most programs don't need. */
async function loadLibsvm(): Promise<Libsvm> {
  return (await import("libsvm-js/asm.js")).default;
}

function kernelOptions({ KERNEL_TYPES }: Libsvm, kernel: KernelOption) {
  if (kernel.type === "linear") return { kernel: KERNEL_TYPES.LINEAR };
  if (kernel.type === "gaussian") return { kernel: KERNEL_TYPES.RBF, gamma: gaussianGamma(kernel) };
  return { kernel: KERNEL_TYPES.POLYNOMIAL, gamma: 1, coef0: kernel.offset ?? 1, degree: kernel.degree };
}

/**
 * a_i and b from a model file's text: lines `rho VALUE` and, after `SV`, one for each vector that begins with
 * a_i.
 */
function readModel(text: string): { coefficients: Float64Array; rho: number } {
  const lines = text.split("\n");
  const rho = lines.find((line) => line.startsWith("rho "));
  const vectors = lines.slice(lines.indexOf("SV") + 1).filter((line) => line.trim() !== "");
  return {
    coefficients: Float64Array.from(vectors, (line) => Number.parseFloat(line)),
    rho: Number(rho?.slice("rho ".length)),
  };
}

/**
 * C-SVC, the support vector machine with soft margin, by LIBSVM: min |w|^2 / 2 + C sum_i max(0, 1 - y_i
 * f(x_i)). Labels are -1 and +1, of each one or more. Throws a RangeError that names what can't be used.
 * (Cortes, Vapnik: Support-vector networks, Machine Learning 20, 1995; Chang, Lin: LIBSVM, ACM TIST 2(3),
 * 2011.)
 */
export async function trainSvm(
  x: readonly ArrayLike<number>[],
  y: ArrayLike<number>,
  { C, kernel }: { readonly C: number; readonly kernel: KernelOption },
): Promise<BatchExpansion> {
  if (!(C > 0)) throw new RangeError(`C: got ${C}; takes a number > 0`);
  const labels = new Set(Array.from(y));
  if (labels.size !== 2 || !labels.has(1) || !labels.has(-1)) {
    throw new RangeError(
      `labels: got ${[...labels].slice(0, 5).join(", ")}; takes both -1 and 1, and no other`,
    );
  }
  checkSamples(x, y);
  const Machine = await loadLibsvm();
  const machine = new Machine({
    type: Machine.SVM_TYPES.C_SVC,
    cost: C,
    ...kernelOptions(Machine, kernel),
    tolerance: TOLERANCE,
    quiet: true,
  });
  try {
    machine.train(x, y);
    const { coefficients, rho } = readModel(machine.serializeModel());
    const vectors = machine.getSVIndices().map((i) => x[i]);
    // Classes are ordered as they come: the first is that of positive values.
    const sign = machine.getLabels()[0] < 0 ? -1 : 1;
    return new BatchExpansion(
      vectors,
      coefficients.map((a) => sign * a),
      -sign * rho,
      kernel,
    );
  } finally {
    machine.free();
  }
}
