// A thread of the gateway, which explains one decision.
import { parentPort, workerData } from "node:worker_threads";
import { explainSample } from "../../fleet/gateway/explain.ts";
import { type ExplainedAsk, ExplanationStore } from "../../fleet/gateway/explain-thread.ts";

const { node, sid, seq, ...line } = workerData as ExplainedAsk;

try {
  parentPort?.postMessage({ explained: explainSample(new ExplanationStore(line), node, sid, seq) });
} catch (error) {
  parentPort?.postMessage({ refused: (error as Error).message });
}
