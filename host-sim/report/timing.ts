import { countText } from "../../host/count-text.ts";
import type { Timing } from "../scoring/result.ts";

/** "12.3 s on 2 threads, 24.1 s of CPU, ...". */
export function timingText({ seconds, threads, cpuSeconds, samplesPerCpuSecond, peakMib }: Timing): string {
  const on = countText(threads, "thread");
  const rate = Math.round(samplesPerCpuSecond).toLocaleString("en");
  return `${seconds.toFixed(1)} s on ${on}, ${cpuSeconds.toFixed(1)} s of CPU, ${rate} node-samples a second of it, at most ${peakMib.toFixed(0)} MiB`;
}
