import Flash from "embedded:storage/flash";
import type { FirmwareSlots } from "../../src/node/ports.ts";
import { FlashPartition } from "./flash-partition.ts";

/** The slots of firmware on ESP32: partitions ota_0 and ota_1, by firmware-slots.c. */
class EspSlots implements FirmwareSlots {
  readonly idle = new FlashPartition(Flash.open({ path: "nextota" }));
  readonly running = new FlashPartition(Flash.open({ path: "running", mode: "r" }));

  trial(): boolean {
    return native("slots_trial").call(this);
  }

  activate(): boolean {
    return native("slots_activate").call(this);
  }

  secure(): boolean {
    return native("slots_secure").call(this);
  }

  confirm(): boolean {
    return native("slots_confirm").call(this);
  }

  revert(): void {
    native("slots_revert").call(this);
  }

  restart(): void {
    native("slots_restart").call(this);
  }
}

/** The board's slots of firmware; undefined where its flash has no second one. */
export function openSlots(): FirmwareSlots | undefined {
  try {
    return new EspSlots();
  } catch {
    return undefined;
  }
}
