import { arithmetic } from "../../host/arithmetic.ts";
import { loneNode } from "../../host-sim/state/lone-node.ts";
import type { SensorNode } from "../../src/node/node.ts";
import { nodeLayout } from "../../src/node/node-layout.ts";
import type { NodeOptions } from "../../src/node/node-options.ts";
import type { Label } from "../../src/node/ports.ts";
import type { RestoreStatus } from "../../src/store/checkpoint-store.ts";

/**
 * A node without line and flash, with its checkpoints in this process: the reference for a node at the end of
 * a bad line.
 */
export class ReferenceNode {
  private node: SensorNode;
  /** The last two checkpoints, by the label up to which they hold. */
  private kept: { readonly labelled: number; readonly bytes: Uint8Array }[] = [];
  private asked = 0;

  constructor(private readonly options: NodeOptions) {
    this.node = this.fresh();
  }

  private fresh(): SensorNode {
    const { options } = this;
    const storage = {
      save: (bytes: Uint8Array) => this.keep(bytes),
      load: (bytes: Uint8Array) => this.load(bytes),
      rollback: (): RestoreStatus => "fresh",
    };
    return loneNode(options, arithmetic().allocate(nodeLayout(options)), storage);
  }

  private keep(bytes: Uint8Array): boolean {
    this.kept = [...this.kept.slice(-1), { labelled: this.node.labelled, bytes: bytes.slice() }];
    return true;
  }

  private load(bytes: Uint8Array): RestoreStatus {
    const found = this.kept.find(({ labelled }) => labelled === this.asked);
    if (!found) throw new Error(`no checkpoint holds ${this.asked} labels`);
    bytes.set(found.bytes);
    return "restored";
  }

  get labelled(): number {
    return this.node.labelled;
  }

  sample(readings: Float32Array): void {
    this.node.sample(readings);
  }

  label(label: Label): void {
    this.node.label(label);
  }

  /**
   * Follows a restart of the other node, in session `sid`, from the checkpoint that holds so many labels; 0:
   * from none.
   */
  goBackTo(labelled: number, sid: number): void {
    this.asked = labelled;
    if (labelled === 0) this.node = this.fresh();
    else this.node.restore();
    this.node.renew(sid);
  }

  hashes() {
    return { state: this.node.learner.stateHash(), node: this.node.stateHash() };
  }
}
