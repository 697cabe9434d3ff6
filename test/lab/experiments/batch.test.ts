import Libsvm from "libsvm-js/asm.js";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { easyStream } from "../../../host-sim/conformance/easy-streams.ts";
import type { BatchExpansion } from "../../../lab/experiments/lib/batch/expansion.ts";
import { trainLsSvm } from "../../../lab/experiments/lib/batch/ls-svm.ts";
import { trainSvm } from "../../../lab/experiments/lib/batch/svm.ts";
import type { KernelOption } from "../../../src/kernel/kernel.ts";

const gaussian: KernelOption = { type: "gaussian", p: 1 };
const KERNELS: readonly KernelOption[] = [
  gaussian,
  { type: "linear" },
  { type: "polynomial", degree: 3 },
  { type: "polynomial", degree: 2, offset: 0.5 },
];

function samples(task: "classification" | "regression", count: number, seed = 1) {
  const stream = easyStream(task, 2, count, seed);
  return { x: stream.map(({ x }) => x), y: stream.map(({ y }) => y) };
}

function near(got: number, wanted: number, tolerance: number, what: string): void {
  assert.ok(Math.abs(got - wanted) <= tolerance, `${what}: ${got}, not ${wanted}`);
}

const sum = (values: ArrayLike<number>) => Array.from(values).reduce((total, value) => total + value, 0);

/** |w|^2 of w = sum_i a_i phi(x_i), for which w.phi(x) = f(x) - b. */
function normSquared(machine: BatchExpansion): number {
  const { vectors, coefficients, bias } = machine;
  return sum(coefficients.map((a, i) => a * (machine.predict(vectors[i]) - bias)));
}

for (const kernel of KERNELS) {
  test(`SVM, ${JSON.stringify(kernel)}: primal and dual objective meet, whichever class comes first`, async () => {
    const { x, y } = samples("classification", 150);
    const C = 2;
    for (const first of [1, -1]) {
      const order = [...y.keys()].sort((i, j) => first * (y[j] - y[i]));
      const machine = await trainSvm(
        order.map((i) => x[i]),
        order.map((i) => y[i]),
        { C, kernel },
      );
      assert.ok(machine.size < x.length && machine.coefficients.every((a) => Math.abs(a) <= C));
      near(sum(machine.coefficients), 0, 1e-9, "sum of coefficients");
      const half = normSquared(machine) / 2;
      const dual = sum(machine.coefficients.map(Math.abs)) - half;
      const primal = half + C * sum(x.map((row, i) => Math.max(0, 1 - y[i] * machine.predict(row))));
      near(dual, primal, 2e-3 * primal, "dual objective");
    }
  });

  test(`SVM, ${JSON.stringify(kernel)}: its decisions equal LIBSVM's own`, async () => {
    const { x, y } = samples("classification", 150);
    const machine = await trainSvm(x, y, { C: 1, kernel });
    const { KERNEL_TYPES } = Libsvm;
    const own = new Libsvm({
      type: Libsvm.SVM_TYPES.C_SVC,
      kernel: {
        gaussian: KERNEL_TYPES.RBF,
        linear: KERNEL_TYPES.LINEAR,
        polynomial: KERNEL_TYPES.POLYNOMIAL,
      }[kernel.type],
      gamma: 1,
      coef0: kernel.type === "polynomial" ? (kernel.offset ?? 1) : 0,
      degree: kernel.type === "polynomial" ? kernel.degree : 3,
      cost: 1,
      quiet: true,
    });
    own.train(x, y);
    for (const row of samples("classification", 300, 2).x) {
      const decision = machine.predict(row);
      if (Math.abs(decision) > 1e-4) assert.is(Math.sign(decision), own.predictOne(row));
    }
    own.free();
  });
}

for (const task of ["classification", "regression"] as const) {
  test(`LS-SVM, ${task}: each error is its coefficient over gamma, and coefficients add up to 0`, () => {
    const { x, y } = samples(task, 120);
    for (const gamma of [0.1, 10, 1000]) {
      const machine = trainLsSvm(x, y, { gamma, kernel: gaussian });
      near(sum(machine.coefficients), 0, 1e-8 * gamma, "sum of coefficients");
      x.forEach((row, i) => {
        near(y[i] - machine.predict(row), machine.coefficients[i] / gamma, 1e-6, `error of sample ${i}`);
      });
    }
  });
}

test("LS-SVM: makes something of unseen samples", () => {
  const { x, y } = samples("regression", 150);
  const machine = trainLsSvm(x, y, { gamma: 100, kernel: gaussian });
  const unseen = samples("regression", 150, 2);
  const mse = sum(unseen.x.map((row, i) => (unseen.y[i] - machine.predict(row)) ** 2)) / 150;
  assert.ok(mse < 0.02, `${mse}`);
});

async function refuses(run: () => unknown, message: RegExp): Promise<void> {
  try {
    await run();
  } catch (error) {
    assert.instance(error, RangeError);
    return assert.match((error as Error).message, message);
  }
  assert.unreachable(`taken, not refused with ${message}`);
}

test("what can't be used is named, with what would be right", async () => {
  const x = [
    [0, 1],
    [1, 0],
  ];
  const kernel = gaussian;
  await refuses(() => trainSvm(x, [1, 1], { C: 1, kernel }), /labels: got 1; takes both -1 and 1/);
  await refuses(() => trainSvm(x, [1, -1], { C: 0, kernel }), /C: got 0; takes a number > 0/);
  await refuses(() => trainSvm(x, [1, -1, 1], { C: 1, kernel }), /samples: got 2 with 3 labels/);
  await refuses(
    () =>
      trainSvm(
        [
          [0, NaN],
          [1, 0],
        ],
        [1, -1],
        { C: 1, kernel },
      ),
    /sample 0: got NaN; takes finite numbers/,
  );
  await refuses(() => trainLsSvm([], [], { gamma: 1, kernel }), /samples: got 0/);
  await refuses(() => trainLsSvm(x, [1, -1], { gamma: 0, kernel }), /gamma: got 0; takes a number > 0/);
  await refuses(
    () => trainLsSvm([[1], [1]], [1, -1], { gamma: 1e30, kernel }),
    /gamma: the kernel matrix .* is singular/,
  );
});

test.run();
