import type { ClassNames } from "../../host/streams/class-names.ts";
import type { AlarmState, CurrentClass, NodeAlarm } from "../api/node-state.ts";
import type { AlarmRule, Moment } from "./alarm.ts";
import { type KeptMachine, Machine } from "./machine.ts";

interface MachinePorts {
  /** The clocks: one that nobody sets, and the machine's. */
  now(): Moment;
  /** What was kept of a node's machine; undefined: nothing. */
  readKept(node: string): KeptMachine | undefined;
  keep(node: string, machine: KeptMachine): void;
  /** True if this gateway has the node, and not another of a cluster. */
  holds(node: string): boolean;
  switched(change: NodeAlarm): void;
  say(node: string, text: string): void;
}

/** The machines that a fleet's nodes watch. Their classes and alarms last over a restart of the gateway. */
export class Machines {
  private readonly machines: ReadonlyMap<string, Machine>;
  /** Those whose state isn't kept yet. */
  private readonly changed = new Set<string>();

  constructor(
    nodes: readonly string[],
    rules: readonly AlarmRule[],
    private readonly ports: MachinePorts,
  ) {
    const now = ports.now();
    const makeMachine = (name: string) => {
      const own = rules.filter((rule) => !rule.nodes || rule.nodes.includes(name));
      return [name, new Machine(own, ports.readKept(name), now)] as const;
    };
    this.machines = new Map(nodes.map(makeMachine));
  }

  /** The node says its classes. */
  describe(node: string, classes: ClassNames): void {
    const unknown = this.findMachine(node).describe(classes);
    if (unknown.length > 0)
      this.ports.say(node, `alarms: no class ${unknown.join(", ")}; the node has ${classes.text}`);
  }

  /** The node decided for that class; NaN: for none. */
  decided(node: string, target: number): void {
    const { switched, changed } = this.findMachine(node).decided(target, this.ports.now());
    if (changed) this.changed.add(node);
    this.tell(node, switched);
  }

  /** A second passed: which nodes are silent? Keeps what changed, so that a node that changes all the time costs little. */
  look(): void {
    const now = this.ports.now();
    for (const [node, machine] of this.machines) {
      if (!this.ports.holds(node)) {
        machine.elsewhere(now);
        continue;
      }
      const switched = machine.look(now);
      if (switched.length > 0) this.changed.add(node);
      this.tell(node, switched);
    }
    this.keep();
  }

  keep(): void {
    for (const node of this.changed) this.ports.keep(node, this.findMachine(node).kept);
    this.changed.clear();
  }

  alarmNames(node: string): readonly string[] {
    return this.findMachine(node).kept.alarms.map(({ name }) => name);
  }

  /** Of a node that another gateway has, this one knows nothing. */
  nodeState(node: string): { readonly current?: CurrentClass; readonly alarms?: readonly AlarmState[] } {
    if (!this.ports.holds(node)) return {};
    const { current, states } = this.findMachine(node);
    return { ...(current && { current }), ...(states.length > 0 && { alarms: states }) };
  }

  /** Every alarm of every node that this gateway has. */
  get alarms(): NodeAlarm[] {
    return [...this.machines].flatMap(([node, { states }]) =>
      this.ports.holds(node) ? states.map((state) => this.alarmChange(node, state)) : [],
    );
  }

  private tell(node: string, switched: readonly AlarmState[]): void {
    for (const state of switched) this.ports.switched(this.alarmChange(node, state));
  }

  private alarmChange(node: string, state: AlarmState): NodeAlarm {
    const { current } = this.findMachine(node);
    return { node, ...state, ...(current && { class: current.name ?? String(current.class) }) };
  }

  private findMachine(node: string): Machine {
    return this.machines.get(node) as Machine;
  }
}
