import { importModule } from "motelearn/import-module";
import type { openMqtt } from "./mqtt-wifi.ts";

export interface MqttModule {
  readonly openMqtt: typeof openMqtt;
}

/**
 * The module for a node over MQTT, which targets/moddable/mqtt.json brings. Throws a RangeError if it is
 * missing.
 */
export async function importMqtt(): Promise<MqttModule> {
  try {
    return await importModule("motelearn/mqtt");
  } catch {
    throw new RangeError(
      "config.wire.transport: got mqtt; the firmware's manifest doesn't include targets/moddable/mqtt.json",
    );
  }
}
