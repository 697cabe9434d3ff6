// A thread of the gateway, which trains models for nodes that learn together.
import { parentPort } from "node:worker_threads";
import { TrainedGroups, type TrainingNews } from "../../fleet/training/training-thread.ts";

const groups = new TrainedGroups();
const due = new Set<number>();

/** Trains once for all that came meanwhile. */
function turn(): void {
  for (const group of due) {
    const turned = groups.turn(group);
    if (turned) parentPort?.postMessage({ group, turn: turned });
  }
  due.clear();
}

parentPort?.on("message", (news: TrainingNews) => {
  groups.take(news);
  if (due.size === 0) setImmediate(turn);
  due.add(news.group);
});
