import type { ClassNames } from "../../host/streams/class-names.ts";
import type { AlarmState, CurrentClass } from "../api/node-state.ts";
import { Alarm, type AlarmRule, type Moment } from "./alarm.ts";
import { SteadyClass } from "./current-class.ts";

/** What is kept of a machine while no gateway runs. */
export interface KeptMachine {
  readonly current?: CurrentClass;
  readonly alarms: readonly AlarmState[];
}

const SECOND_MS = 1000;

/** The machine that a node watches: its current class, and its alarms. */
export class Machine {
  private readonly steady: SteadyClass;
  private readonly alarms: readonly Alarm[];
  /** The targets that raise each alarm of classes; one that the node can't raise isn't there. */
  private readonly raising = new Map<Alarm, ReadonlySet<number>>();
  private classes: ClassNames | undefined;
  private heard: Moment;

  /** @param at now: silence counts from here until the first sample. */
  constructor(rules: readonly AlarmRule[], kept: KeptMachine | undefined, at: Moment) {
    this.steady = new SteadyClass(kept?.current);
    this.alarms = rules.map(
      (rule) =>
        new Alarm(
          rule,
          kept?.alarms.find(({ name }) => name === rule.name),
        ),
    );
    this.heard = at;
  }

  /** The classes of its node's decisions. Returns the classes that an alarm names and the node hasn't. */
  describe(classes: ClassNames): readonly string[] {
    if (classes.text === this.classes?.text) return [];
    this.classes = classes;
    const unknown: string[] = [];
    for (const alarm of this.alarms) {
      const { classes: wanted = [], nodes } = alarm.rule;
      const targets = wanted.map((each) => classes.labelTarget(each));
      const known = targets.filter((target) => !Number.isNaN(target));
      if (known.length > 0) this.raising.set(alarm, new Set(known));
      else this.raising.delete(alarm);
      if (nodes) unknown.push(...wanted.filter((_, i) => Number.isNaN(targets[i])).map(String));
    }
    return unknown;
  }

  /** Takes the class of a decision; NaN: it has none. Returns the alarms that switched, and whether anything did. */
  decided(
    target: number,
    at: Moment,
  ): { readonly switched: readonly AlarmState[]; readonly changed: boolean } {
    this.heard = at;
    const hasClass = !Number.isNaN(target);
    const isOther = hasClass && this.steady.decided(target, at.time);
    const switched = this.alarms.filter((alarm) => {
      if (alarm.rule.silentSeconds !== undefined) return alarm.observe(false, at);
      const raising = this.raising.get(alarm);
      return raising !== undefined && hasClass && alarm.observe(raising.has(target), at);
    });
    return { switched: switched.map(({ state }) => state), changed: isOther || switched.length > 0 };
  }

  /** Time passed without a sample. Returns the alarms that went on. */
  look({ elapsed }: Moment): readonly AlarmState[] {
    const { heard } = this;
    const silentMs = elapsed - heard.elapsed;
    const isDue = ({ rule: { silentSeconds = Number.POSITIVE_INFINITY } }: Alarm) =>
      silentMs >= SECOND_MS * silentSeconds;
    return this.alarms
      .filter((alarm) => isDue(alarm) && alarm.observe(true, heard))
      .map(({ state }) => state);
  }

  /** Another gateway hears its node: that isn't silence. */
  elsewhere(at: Moment): void {
    this.heard = at;
  }

  /** Its class has the name from before a restart of the gateway until the node says its classes again. */
  get current(): CurrentClass | undefined {
    const { value } = this.steady;
    const name = value && (this.classes?.targetName(value.class) ?? value.name);
    return value && { ...value, ...(name !== undefined && { name }) };
  }

  /** The alarms that the node can raise. */
  get states(): readonly AlarmState[] {
    return this.alarms
      .filter((alarm) => alarm.rule.silentSeconds !== undefined || alarm.state.on || this.raising.has(alarm))
      .map(({ state }) => state);
  }

  get kept(): KeptMachine {
    return { current: this.current, alarms: this.alarms.map(({ state }) => state) };
  }
}
