/** The module `motelearn/board`: a node on any board that Moddable runs on. */
import type { UserOptions } from "../../src/learn/family.ts";
import type { NodeOptions } from "../../src/node/node-options.ts";
import type { BytePort } from "../../src/node/ports.ts";
import type { Sensor } from "../../src/start/sensors.ts";
import type { SleepOptions } from "../../src/start/sleep.ts";
import { openSlots } from "./firmware-slots.ts";
import { InstalledMod } from "./installed-mod.ts";
import { importLearner } from "./learner.ts";
import { importMqtt } from "./mqtt-module.ts";
import type { Network } from "./network.ts";
import { type Open, type OwnSensors, onTrial, openBy } from "./own-sensors.ts";
import { Uart, type UartOptions } from "./uart.ts";
import { UsbSerial } from "./usb-serial.ts";

export type { Mod, OwnSensors } from "./own-sensors.ts";
export { type AnalogOptions, type ChannelOptions, openSensors, type SensorOptions } from "./sensors.ts";
export { Uart, type UartOptions } from "./uart.ts";

/** `config` of a firmware's manifest, without its sensors. */
export interface FirmwareConfig {
  /** The node: `NodeOptions`, with its learner by name and its times. */
  readonly node: Omit<NodeOptions, "sid" | "channels" | "learner"> & {
    /** Its name, see `motelearn learners`: the manifest includes `dist/moddable/learners/NAME.json`. */
    readonly learner: string;
    readonly options: UserOptions;
    /** Readings in a sample. If a tool has checked the options for them, the firmware holds what follows instead of computing it. */
    readonly channels?: number;
    /** Milliseconds from one sample to the next; default 1000. */
    readonly periodMs?: number;
    /** Least milliseconds between two checkpoints; default 0. */
    readonly checkpointMs?: number;
    /** Deep sleep between two samples, and when it talks; default: no sleep. */
    readonly sleep?: SleepOptions;
  };
  /** The line to the peer. */
  readonly wire: {
    /** The firmware's name and version that the node reports, 16 characters of ASCII. */
    readonly firmware: string;
    /**
     * The wire's key, where the board stores none: 32 hex digits; or `stored`: the node starts only with a key that
     * the board stores. Default none: whoever can write on the wire can teach.
     */
    readonly key?: string;
    /** The key of labels, in the same form. Default none: the node learns from labels without a tag. */
    readonly labelKey?: string;
    /** The wire's UART, or `usb`: the chip's own USB. */
    readonly release: UartOptions | "usb";
    /** The wire's UART in a build for debugging, where the debugger takes the other. */
    readonly debug: UartOptions;
    /**
     * `mqtt`: in place of either, an MQTT broker over Wi-Fi. The manifest includes targets/moddable/mqtt.json
     * then.
     */
    readonly transport?: "mqtt";
    /** For `mqtt`, where the board stores none: its Wi-Fi, its broker and its name there, or `stored`. */
    readonly network?: Network | "stored";
  };
}

/**
 * What an application may ask of a node that runs. A firmware keeps what this names: its other methods stand in the place of their calls,
 * where only one calls them, and have other names.
 */
export interface RunningNode {
  /** The node's end of the wire. */
  readonly station: {
    /** The node behind it. */
    readonly node: {
      /** Number of its session. */
      readonly sid: number;
      /** Number of its last sample in the session; 0 before the first. */
      readonly seq: number;
      /** Number of the last label that it answered; 0 before the first. */
      readonly labelled: number;
      /** Hash of its state: equal hashes mean the same bits. */
      stateHash(): string;
    };
  };
}

type OpenWire = (options: UartOptions | "usb") => BytePort;

const openSerial: OpenWire = (options) => (options === "usb" ? new UsbSerial() : new Uart(options).direct);

/** Opens the configuration's wire. */
async function chooseWire({ transport, network }: FirmwareConfig["wire"]): Promise<OpenWire> {
  if (transport === undefined) return openSerial;
  const { openMqtt } = await importMqtt();
  const openLine = await openMqtt(network);
  return (options) => openLine(() => openSerial(options));
}

/**
 * Opens a node's sensors with the application's own module: the mod's, if mcrun has installed one, else the
 * one built into the firmware, which also supplies what a mod doesn't export. It leaves out a mod that is for
 * another engine, throws, opens no valid sensor, or made the board restart during its trial; `runNode`
 * reports that on the wire. New firmware whose own module opens no sensor falls back to the previous one at once.
 *
 *     import * as builtIn from "./soil-moisture.ts";
 *     openOwn(builtIn, ({ SoilMoisture }) => [new SoilMoisture(soil)]).then((own) => runNode(config, own));
 */
export function openOwn<Module extends object>(builtIn: Module, open: Open<Module>): Promise<OwnSensors> {
  return onTrial(() => openBy(new InstalledMod(), builtIn, open), openSlots, trace);
}

/**
 * Starts the node that `config` describes, with these sensors, and runs its turns by a timer: it samples on
 * schedule, speaks the wire over a UART or USB, keeps checkpoints in the partition `checkpoints`, and sleeps
 * if `node.sleep` is set.
 *
 *     openSensors(config.sensors).then((sensors) => runNode(config, [new OwnSensor(), ...sensors]));
 *
 * Or pass the result of `openOwn`, whose mod it then watches.
 *
 * Rejects with a RangeError that names the wrong option. New firmware falls back to the previous one instead.
 */
export async function runNode(
  config: FirmwareConfig,
  own: readonly Sensor[] | OwnSensors,
): Promise<RunningNode> {
  const slots = openSlots();
  try {
    const openWire = await chooseWire(config.wire);
    const { default: learner, runFirmware } = await importLearner(config.node.learner);
    return runFirmware(config, learner, "sensors" in own ? own : { sensors: own }, slots, openWire);
  } catch (error) {
    if (slots?.trial()) slots.revert();
    throw error;
  }
}
