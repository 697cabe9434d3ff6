import { Random } from "../../host/random.ts";
import type { Scenario } from "../scenario/scenario.ts";
import type { SimulatedFlash } from "./flash.ts";
import { exact, type VirtualTime } from "./time.ts";

/** A time at which a node's power fails. */
interface Failure {
  readonly at: number;
  /** True if it fails during the next write of a checkpoint; if none comes for long, it fails anyway. */
  readonly duringSave: boolean;
}

/** Samples for which a failure waits for a write. */
const WAIT = 100;

const NEVER = Number.POSITIVE_INFINITY;

/** A node's power failures in their order, each somewhere between two samples. */
function failures(
  { power, node }: Pick<Scenario, "power" | "node">,
  random: Random,
  samples: number,
): Failure[] {
  const drawn = Array.from({ length: samples > 0 ? power.count : 0 }, () => 1 + random.below(samples));
  return [...power.at.filter((sample) => sample <= samples), ...drawn]
    .map((sample) => ({
      at: exact((sample + random.uniform()) * node.periodMs),
      duringSave: random.uniform() < power.duringSave,
    }))
    .sort((a, b) => a.at - b.at);
}

/**
 * A node's power supply. It fails and returns at times that follow from the seed; some failures fall within a write to flash.
 */
export class PowerSupply {
  readonly tally = { cuts: 0, duringSave: 0, restored: 0, fallback: 0, fresh: 0 };
  on = false;
  /** When it next fails or returns. */
  nextAt = 0;
  private readonly failures: readonly Failure[];
  private readonly offMs: number;
  private readonly waitMs: number;
  private readonly random: Random;
  private passed = 0;
  private backAt = 0;
  /** The time up to which the next write makes it fail. */
  private armedUntil = NEVER;

  constructor(
    scenario: Pick<Scenario, "power" | "node" | "seed">,
    name: string,
    samples: number,
    private readonly flash: SimulatedFlash,
    private readonly time: VirtualTime,
  ) {
    this.random = new Random(scenario.seed, `${name}/power`);
    this.failures = failures(scenario, this.random, samples);
    this.offMs = exact(scenario.power.off * scenario.node.periodMs);
    this.waitMs = exact(WAIT * scenario.node.periodMs);
  }

  /** True if no failure waits for a write. */
  get settled(): boolean {
    return this.armedUntil === NEVER;
  }

  /** True if it won't fail any more. */
  get over(): boolean {
    return this.on && this.nextAt === NEVER;
  }

  private get failureAt(): number {
    return Math.min(this.failures[this.passed]?.at ?? NEVER, this.armedUntil);
  }

  /** The event at `nextAt`: it returns, fails, or will fail during the next save. */
  step(): "back" | "fails" | "armed" {
    if (!this.on && this.failureAt >= this.backAt) {
      this.on = true;
      this.nextAt = this.failureAt;
      return "back";
    }
    if (this.settled && this.on && this.failures[this.passed].duringSave) {
      this.passed++;
      this.flash.cutAfter(this.random.below(this.flash.operations));
      this.armedUntil = this.time.now + this.waitMs;
      this.nextAt = this.failureAt;
      return "armed";
    }
    if (this.settled) this.passed++;
    this.fail();
    return "fails";
  }

  /** The power fails now, and stays away for some time. */
  fail(duringSave = false): void {
    this.tally.cuts++;
    if (duringSave) this.tally.duringSave++;
    this.flash.cutAfter(NEVER);
    this.armedUntil = NEVER;
    this.on = false;
    this.backAt = this.time.now + this.offMs;
    this.nextAt = Math.min(this.backAt, this.failureAt);
  }
}
