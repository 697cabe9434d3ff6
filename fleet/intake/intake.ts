import { basename } from "node:path";
import { type MqttAddress, parseAddress } from "../../tools/ports/address.ts";
import { CentreIntake } from "./centre-intake.ts";
import { FileIntake } from "./file-intake.ts";
import { LabelIntake, type LabelIntakePorts } from "./label-intake.ts";
import { MqttIntake } from "./mqtt-intake.ts";

const BY_MAX = 64;

/** Brings the labels of one source until it is closed. */
interface Intake {
  /** The node was met, or started again. */
  started?(): void;
  run(): Promise<void>;
}

/** True if `labels` names a file, whose path is relative to the fleet file's folder. */
export function isFile(from: string): boolean {
  return !/^(fusion|tcp|unix|mqtts?):|^\/dev\/|^COM\d+$/.test(from);
}

/** Throws a UserError if `labels` names no valid source. */
export function checkSource(from: string): void {
  if (!isFile(from) && !from.startsWith("fusion:")) parseAddress(from);
}

/** Opens the source that a node's `labels` names; `address` is where its broker is, if not where that says; `ca` who vouches for it. */
export function openIntake(
  from: string,
  of: string | number,
  ports: LabelIntakePorts,
  address?: MqttAddress,
  ca?: string,
): { desk: LabelIntake; intake: Intake } {
  const desk = new LabelIntake(
    ports,
    (isFile(from) ? basename(from) : from.replace(/\/\/[^@/]*@/, "//")).slice(0, BY_MAX),
  );
  if (isFile(from)) return { desk, intake: new FileIntake(from, desk) };
  if (/^mqtts?:/.test(from))
    return { desk, intake: new MqttIntake(address ?? (parseAddress(from, ca) as MqttAddress), desk) };
  return { desk, intake: new CentreIntake(from, of, desk) };
}
