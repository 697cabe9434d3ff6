import type { MqttAddress } from "../../tools/ports/address.ts";
import { openIntake } from "../intake/intake.ts";
import type { LabelIntake, LabelIntakePorts } from "../intake/label-intake.ts";
import type { FleetStore } from "../store/fleet-store.ts";
import type { FleetNode } from "./fleet.ts";
import type { Labelling } from "./labelling.ts";
import type { NodeKeeper } from "./node-keeper.ts";

/** What the sources of labels need of their gateway. */
interface SourcePorts {
  readonly store: FleetStore;
  readonly labelling: Labelling;
  /** Certificates, PEM, of those who vouch for brokers. */
  readonly ca: string | undefined;
  /** The address inside this process of a port at the built-in broker. */
  inside(port: string): MqttAddress | undefined;
  elsewhere(keeper: NodeKeeper, sid: number): boolean;
}

/** Where labels of nodes come from by themselves, by the fleet file. */
export class LabelSources {
  private readonly desks = new Map<string, LabelIntake>();

  constructor(private readonly ports: SourcePorts) {}

  /** Opens the node's source, if it has one; resolves when it is closed. */
  async open({ name, labels, labelsOf = name }: FleetNode, keeper: NodeKeeper): Promise<void> {
    if (labels === undefined) return;
    const { store, labelling, ca, inside, elsewhere } = this.ports;
    const ports: LabelIntakePorts = {
      hello: () => (keeper.isDescribed ? keeper.hello : undefined),
      reach: () => keeper.reach,
      offer: (label) => labelling.offer(keeper, label, { name: "", from: labels }),
      full: () => keeper.labels.full !== undefined,
      // In a cluster another gateway may have taken the node: that one takes the label from its source.
      awaitCommit: () => labelling.awaitCommit(keeper).catch(({ message }: Error) => message),
      place: () => store.labels.readPlace(name, labels),
      keep: (place) => store.labels.keepPlace(name, labels, place),
      lastSeq: (sid) => store.lastSeq(name, sid),
      elsewhere: (sid) => elsewhere(keeper, sid),
      say: (text) => keeper.say("labels", text),
    };
    const own = /^mqtts?:/.test(labels) ? inside(labels) : undefined;
    const { desk, intake } = openIntake(labels, labelsOf, ports, own, ca);
    keeper.onStart = () => intake.started?.();
    this.desks.set(name, desk);
    await intake.run();
  }

  /** Closes the source of that node. */
  close(name: string): void {
    this.desks.get(name)?.close();
    this.desks.delete(name);
  }

  closeAll(): void {
    for (const name of [...this.desks.keys()]) this.close(name);
  }
}
