import { UserError } from "../../host/errors.ts";
import { BOARDS, type BoardMemory, type Target } from "../../targets/boards.ts";
import type { ConfigNode } from "./firmware.ts";

/** What a project's own sensor class reads. */
interface OwnReadings {
  readonly pins: readonly number[];
  /** Readings of each sensor in a sample, and in a second; absent where a sample has one of each. */
  readonly burst?: number;
  readonly rate?: number;
}

/** Pins that a target's wire leaves for analog sensors, the usual one first. */
export function analogPins(target: Target): number[] {
  const { pins, sensor, wire } = BOARDS[target];
  const taken: readonly number[] = [sensor, wire.release.transmit, wire.release.receive];
  return [sensor, ...(pins.analog as readonly number[]).filter((pin) => !taken.includes(pin))];
}

/**
 * The readings of a node, each sensor at an analog pin as far as the board has any.
 *
 * @param rate readings of each sensor a second, where a sample has several. Throws a UserError without it there, or with it elsewhere.
 */
export function ownReadings(
  target: Target,
  { channels = 1, features }: Pick<ConfigNode, "channels" | "features">,
  rate: number | undefined,
): OwnReadings {
  const { burst = 1 } = features ?? {};
  if (burst > 1 && rate === undefined)
    throw new UserError(
      `--node: a sample has ${burst} readings of each sensor; how many a second? Give --rate HZ, the rate of the recording`,
    );
  if (burst === 1 && rate !== undefined)
    throw new UserError("--rate: a sample has one reading of each sensor; leave --rate out");
  const free = analogPins(target);
  const pins = Array.from({ length: channels / burst }, (_, s) => free[s] ?? free[0]);
  return burst > 1 ? { pins, burst, rate } : { pins };
}

/** The manifest of a project whose own sensor class takes all readings of a node. */
export function ownManifest(
  target: Target,
  node: ConfigNode,
  readings: OwnReadings,
  creation: BoardMemory,
): object {
  const of = "./node_modules/motelearn";
  return {
    include: [`${of}/targets/${target}/board.json`, `${of}/dist/moddable/learners/${node.learner}.json`],
    modules: { "*": ["./main", "./sensor"] },
    creation,
    config: { readings, node, wire: { firmware: "own-node 1" } },
  };
}
