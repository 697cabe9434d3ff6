import { REMARK, REMARK_BYTE } from "../../src/node/ports.ts";
import { halfWidth } from "../../src/node/prediction-intervals.ts";
import type { Message } from "../../src/wire/messages.ts";
import { SampleParts } from "../../tools/record/sample-parts.ts";
import type { Hello } from "../../tools/session/hello.ts";
import type { NodeTimes } from "../api/node-state.ts";
import type { FleetStore } from "../store/fleet-store.ts";
import type { Live } from "./live.ts";
import type { NodeLabels } from "./node-labels.ts";

/** What a node's records need of its keeper. */
interface RecordPorts {
  /** The node's hello; undefined while it isn't met. */
  readonly hello: () => Hello | undefined;
  readonly labels: Pick<NodeLabels, "asked" | "predicted">;
  /** When it last raised a drift alarm is noted there. */
  readonly when: NodeTimes;
  readonly decided: (decision: number) => void;
}

/** Keeps a node's samples and predictions, shows them to pages, and notes its remarks. */
export class NodeRecords {
  /** True if the fleet's model made the last decision, and not the node's own learner; undefined: it made none. */
  judges: boolean | undefined;
  private readonly parts = new SampleParts();

  constructor(
    private readonly name: string,
    private readonly store: FleetStore,
    private readonly live: Live,
    private readonly ports: RecordPorts,
  ) {}

  takeSample(message: Message<"sample">): void {
    const { name, store, live, parts, ports } = this;
    const { sid, seq, total } = message;
    const x = total === ports.hello()?.channels ? parts.take(message) : undefined;
    if (!x) return;
    store.sample(name, sid, seq, x);
    live.sample(name, sid, seq, x);
  }

  takePrediction({ sid, seq, decision, remarks, length }: Message<"prediction">): void {
    const { name, store, live, ports } = this;
    const said = length > 0 ? remarks[0] : 0;
    const half = length > 1 ? remarks[1] : 0;
    store.prediction(name, sid, seq, decision, said + REMARK_BYTE * half);
    live.prediction(name, sid, seq, decision, said, half > 0 ? halfWidth(half) : undefined);
    ports.labels.predicted({ sid, seq });
    this.noteRemarks(sid, seq, said);
    ports.decided(decision);
  }

  private noteRemarks(sid: number, seq: number, said: number): void {
    const { hello, labels, when } = this.ports;
    const pending = hello()?.pending ?? 0;
    this.judges = (said & REMARK.fleet) !== 0;
    if (said & REMARK.asked) labels.asked.add(sid, seq, pending);
    else labels.asked.prune(seq, pending);
    if (said & (REMARK.drift | REMARK.shift)) when.drifted = Date.now();
  }
}
