/** The module `motelearn/board`: a node on any board that Moddable runs on. */
import type { GivenOptions } from "../../src/learn/family.ts";
import type { NodeOptions } from "../../src/node/node.ts";
import type { BytePort } from "../../src/node/ports.ts";
import type { Sensor } from "../../src/start/sensors.ts";
import type { SleepOptions } from "../../src/start/sleep.ts";
import type { StartedNode } from "../../src/start/start-node.ts";
import { openSlots } from "./firmware-slots.ts";
import { InstalledMod } from "./installed-mod.ts";
import { importLearner } from "./learner.ts";
import { importMqtt } from "./mqtt-module.ts";
import type { Network } from "./network.ts";
import { type Open, type OwnSensors, openBy } from "./own-sensors.ts";
import { Uart, type UartOptions } from "./uart.ts";
import { UsbSerial } from "./usb-serial.ts";

export type { Mod, OwnSensors } from "./own-sensors.ts";
export { type AnalogOptions, type ChannelOptions, openSensors, type SensorOptions } from "./sensors.ts";
export { Uart, type UartOptions } from "./uart.ts";

/** `config` of a firmware's manifest, without its sensors. */
export interface FirmwareConfig {
  readonly node: Omit<NodeOptions, "sid" | "channels" | "learner"> & {
    /** Its name, see `motelearn learners`: the manifest includes `dist/moddable/learners/NAME.json`. */
    readonly learner: string;
    readonly options: GivenOptions;
    /** Milliseconds from one sample to the next; default 1000. */
    readonly periodMs?: number;
    /** Least milliseconds between two checkpoints; default 0. */
    readonly checkpointMs?: number;
    /** Whether the chip sleeps deeply between two samples, and when it talks; default: never. */
    readonly sleep?: SleepOptions;
  };
  readonly wire: {
    /** Name and version that the node says it has, 16 characters of ASCII. */
    readonly firmware: string;
    /**
     * Keys of the wire and of labels, where the board stores none: 32 hex digits each, or `stored`, so that the node doesn't start
     * without. Default none: whoever can write on the wire can teach.
     */
    readonly key?: string;
    readonly labelKey?: string;
    /** The wire's UART, or `usb`: the chip's own USB. A build for debugging has another UART: the debugger takes those. */
    readonly release: UartOptions | "usb";
    readonly debug: UartOptions;
    /** `mqtt`: in place of either, an MQTT broker over Wi-Fi. The manifest includes targets/moddable/mqtt.json then. */
    readonly transport?: "mqtt";
    /** For `mqtt`, where the board stores none: its Wi-Fi, its broker and its name there, or `stored`. */
    readonly network?: Network | "stored";
  };
}

type OpenWire = (options: UartOptions | "usb") => BytePort;

const openSerial: OpenWire = (options) => (options === "usb" ? new UsbSerial() : new Uart(options).direct);

/** What opens the wire that the configuration has. */
async function wireOf({ transport, network }: FirmwareConfig["wire"]): Promise<OpenWire> {
  if (transport === undefined) return openSerial;
  const { openMqtt } = await importMqtt();
  return () => openMqtt(network);
}

/**
 * Opens a node's sensors with the application's own module: with the mod's, if mcrun has installed one, else with that which the
 * firmware was built with. What a mod doesn't export is the firmware's. A mod that isn't for this engine, throws, gives what
 * is no sensor, or had the board restart in its trial is left out, and `runNode` says so on the wire.
 *
 *     import * as builtIn from "./soil-moisture.ts";
 *     openOwn(builtIn, ({ SoilMoisture }) => [new SoilMoisture(soil)]).then((own) => runNode(config, own));
 */
export function openOwn<Module extends object>(builtIn: Module, open: Open<Module>): Promise<OwnSensors> {
  return openBy(new InstalledMod(), builtIn, open);
}

/**
 * Starts the node that `config` describes, with these sensors, and keeps it going by a timer: it reads its sensors in time,
 * speaks the wire over a UART or USB, keeps checkpoints in the partition `checkpoints`, and sleeps if `node.sleep` says so.
 *
 *     openSensors(config.sensors).then((sensors) => runNode(config, [new OwnSensor(), ...sensors]));
 *
 * Or with what `openOwn` gives, whose mod it then watches.
 *
 * Rejects with a RangeError that names what it can't take, unless that is new firmware: then the board falls back to that before.
 */
export async function runNode(
  config: FirmwareConfig,
  own: readonly Sensor[] | OwnSensors,
): Promise<StartedNode> {
  const slots = openSlots();
  try {
    const openWire = await wireOf(config.wire);
    const { default: learner, runFirmware } = await importLearner(config.node.learner);
    return runFirmware(config, learner, "sensors" in own ? own : { sensors: own }, slots, openWire);
  } catch (error) {
    if (slots?.trial()) slots.revert();
    throw error;
  }
}
