// Replaces uvu in a mutant's bundle: runs the requested tests, and ends at the first failure. Reports each
// test's milliseconds, and the marked functions that it, or loading its file, entered.
import { parentPort, workerData } from "node:worker_threads";

const tests = [];
export function test(_name, run) {
  tests.push(run);
}
test.run = async () => {
  const { entered = [] } = globalThis;
  const marks = () => [...entered].flatMap((hit, mark) => (hit ? [mark] : []));
  const loading = marks();
  const ran = [];
  for (const number of workerData.wanted ?? tests.keys()) {
    entered.fill(0);
    const start = performance.now();
    await tests[number]();
    ran.push({ ms: performance.now() - start, marks: [...loading, ...marks()] });
  }
  parentPort.postMessage(ran);
};
