// Stands in for uvu in a mutant's bundle: runs the tests asked for, and ends at the first that fails. For each that ran:
// its milliseconds, and the marked functions that it, or the loading of its file, entered.
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
