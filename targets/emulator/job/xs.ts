import type { Host } from "./host.ts";
import { runJob } from "./job.ts";

declare const host: Host;

/** What the machine calls, once it has started. */
Object.assign(globalThis, { main: () => runJob(host) });
