import { readStreams } from "../../host-sim/network/sources.ts";
import { holdStream } from "../../host-sim/network/stream.ts";
import type { Scenario } from "../../host-sim/scenario/scenario.ts";
import type { Case, JsonObject } from "./case.ts";

/**
 * The case with its stream's size in the open, where reductions reach it: a generated stream with the sizes that its scenario leaves to
 * the defaults, the recorded network as rows of files, one a mote.
 *
 * @param scenario the case's scenario with its defaults; `source` is its file.
 */
export async function withOpenStream(from: Case, scenario: Scenario, source: string): Promise<Case> {
  const { type, nodes, samples, channels } = scenario.stream;
  const stream = from.scenario.stream as JsonObject;
  if (type === "files") return from;
  if (type !== "recorded-network")
    return { ...from, scenario: { ...from.scenario, stream: { ...stream, nodes, samples, channels } } };
  const { streams } = await readStreams(scenario, source, scenario.tasks[0]);
  const files = streams.map(({ node }) => ({ node, path: `${node}.ndjson` }));
  const lines = streams.map(holdStream).map(({ node, channels, count, readings, truth }) => ({
    name: `${node.replace(/\W+/g, "-")}.ndjson`,
    head: [],
    rows: Array.from({ length: count }, (_, i) =>
      JSON.stringify({ x: [...readings.subarray(i * channels, (i + 1) * channels)], label: truth[i] }),
    ),
  }));
  return { scenario: { ...from.scenario, stream: { type: "files", files } }, streams: lines };
}
