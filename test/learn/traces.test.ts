import { test } from "uvu";
import * as assert from "uvu/assert";
import { differences, flattenNumbers } from "./reference/differences.ts";
import { readModelFile, traceNames } from "./reference/models.ts";

for (const name of traceNames()) {
  test(`${name} is what the model in double precision makes of its inputs`, () => {
    assert.equal(differences(name), []);
  });
}

test("one number changed in a prediction or at the end of any trace is seen", () => {
  for (const name of traceNames()) {
    const file = readModelFile(name);
    const predictions = structuredClone(file.predictions);
    const last = predictions.length - 1;
    if (Array.isArray(predictions[last])) predictions[last][0] += 1e-4;
    else predictions[last] += 1e-4;
    assert.is(differences(name, { ...file, predictions }).length, 1, name);
    const [end] = Object.keys(file.final).filter((part) => part !== "Ki");
    const changed = { ...file.final, [end]: [file.final[end], 1] };
    assert.is(differences(name, { ...file, final: changed }).length, 1, `${name}, final ${end}`);
  }
});

test("inputs, labels and targets are float32 numbers: a learner meets the same as the model", () => {
  for (const name of traceNames()) {
    const { X, y, inputs = X, labels = y } = readModelFile(name);
    for (const value of flattenNumbers([inputs, labels])) assert.is(value, Math.fround(value), name);
  }
});

test.run();
