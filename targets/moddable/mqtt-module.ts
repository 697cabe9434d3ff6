import { importModule } from "motelearn/import-module";
import type { openMqtt } from "./mqtt-wire.ts";

export interface MqttModule {
  readonly openMqtt: typeof openMqtt;
}

/** What a node over MQTT takes, which comes with targets/moddable/mqtt.json. Throws a RangeError if it isn't there. */
export async function importMqtt(): Promise<MqttModule> {
  try {
    return await importModule("motelearn/mqtt");
  } catch {
    throw new RangeError(
      "config.wire.transport: got mqtt; the firmware's manifest doesn't include targets/moddable/mqtt.json",
    );
  }
}
