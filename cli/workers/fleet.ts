// A process of `bench --fleet`: the broker, the gateway, or nodes.
import { setTimeout as pause } from "node:timers/promises";
import { BenchNode } from "../../fleet/bench/bench-node.ts";
import type { Answers, Ask, Part, PartMessage, TrueSample } from "../../fleet/bench/parts.ts";
import { startBroker } from "../../fleet/gateway/broker.ts";
import { readFleet } from "../../fleet/gateway/fleet-file.ts";
import { Gateway } from "../../fleet/gateway/gateway.ts";
import { Log } from "../../fleet/gateway/log.ts";
import { cpuTime } from "../../host/cpu-time.ts";

const TELL_MS = 50;

const nodes = new Map<string, BenchNode>();

function tell(told: PartMessage): void {
  process.send?.(told);
}

/** Starts them one after the other over a period, so that their samples don't all come at once. */
async function startNodes(part: Extract<Part, { part: "nodes" }>): Promise<void> {
  const { broker, names, periodMs, speed, labelEvery } = part;
  let count = 0;
  let samples: TrueSample[] = [];
  setInterval(() => {
    if (count > 0) tell({ told: "sampled", count, samples });
    count = 0;
    samples = [];
  }, TELL_MS);
  for (const name of names) {
    const sampled = (sid: number, seq: number, label: number) => {
      count++;
      if (seq % labelEvery === 0) samples.push({ name, sid, seq, label });
    };
    nodes.set(name, new BenchNode({ name, broker, periodMs, speed, sampled }));
    await pause(periodMs / speed / names.length);
  }
}

async function run(part: Part): Promise<void> {
  if (part.part === "broker") await startBroker(part.port);
  else if (part.part === "nodes") await startNodes(part);
  else await new Gateway(readFleet(part.fleet), new Log("error", false)).start();
}

function findNode(name: string): BenchNode {
  return nodes.get(name) as BenchNode;
}

async function answer(ask: Ask): Promise<Answers[keyof Answers]> {
  if (ask.ask === "usage") return { cpuMs: cpuTime() / 1000, rssBytes: process.memoryUsage.rss() };
  if (ask.ask === "labelled")
    return Object.fromEntries([...nodes].map(([name, { labelled }]) => [name, labelled]));
  if (ask.ask === "compare") return findNode(ask.dealt.name).matchesReplay(ask.dealt.labels);
  for (const name of ask.names) {
    if (ask.ask === "drop") findNode(name).drop();
    else await findNode(name).restart();
  }
  return null;
}

process.on("disconnect", () => process.exit());
process.on("message", async (ask: Ask) => tell({ told: "answer", answer: await answer(ask) }));
await run(JSON.parse(process.argv[2]));
tell({ told: "ready" });
