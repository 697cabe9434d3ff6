import { test } from "uvu";
import * as assert from "uvu/assert";
import { KernelPerceptron, KernelPerceptronR } from "../../src/learn/kernel-perceptron.ts";
import { followTrace } from "./expansion-trace.ts";
import { readKernel, readTrace } from "./golden.ts";

test("the kernel perceptron follows kernel_perceptron", () => {
  const trace = readTrace("kernel_perceptron");
  const { eta } = trace.params;
  const dimension = trace.X[0].length;
  followTrace(new KernelPerceptron({ dimension, kernel: readKernel(trace), eta }), trace, 1e-4);
});

test("the kernel perceptron for regression follows kernel_perceptron_regression", () => {
  const trace = readTrace("kernel_perceptron_regression");
  const { eta, eps: epsilon } = trace.params;
  const dimension = trace.X[0].length;
  followTrace(new KernelPerceptronR({ dimension, kernel: readKernel(trace), eta, epsilon }), trace, 1e-4);
});

test("eta scales the decision value and changes no decision", () => {
  const trace = readTrace("kernel_perceptron");
  const options = { dimension: trace.X[0].length, kernel: readKernel(trace), budget: 12 };
  const one = new KernelPerceptron({ ...options, eta: 1 });
  const eighth = new KernelPerceptron({ ...options, eta: 0.125 });
  trace.X.forEach((x, t) => {
    assert.is(eighth.learn(x, trace.y[t]), 0.125 * one.learn(x, trace.y[t]));
  });
});

test.run();
