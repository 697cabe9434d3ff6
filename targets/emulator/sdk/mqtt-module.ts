import type { MqttModule } from "../../moddable/mqtt-module.ts";

/** Replaces moddable/mqtt-module.ts: the emulated board has no radio. */
export async function importMqtt(): Promise<MqttModule> {
  throw new RangeError("config.wire.transport: got mqtt; the emulated board has no radio");
}
