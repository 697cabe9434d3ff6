import { table } from "../../host/terminal/table.ts";
import type { Battery, BatteryLife } from "../../targets/battery.ts";
import type { Power } from "../../targets/boards.ts";

function figure(value: number): string {
  return value >= 100 ? value.toFixed(0) : value.toPrecision(3);
}

function row(what: string, { mJ, averageMa, days }: BatteryLife): string[] {
  return [what, figure(mJ), figure(averageMa), figure(days)];
}

/** The battery plan, for people. */
export function batteryText({ mAh, awake, asleep }: Battery, { awakeMa, asleepUa, source }: Power): string {
  const rows = [row("always awake", awake), ...(asleep ? [row("asleep between samples", asleep)] : [])];
  const head = [`battery of ${mAh} mAh`, "mJ a sample", "mA on average", "days"];
  const lines = [
    table(rows, { head, aligns: ["left", "right"] }),
    `Awake ${awakeMa} mA, asleep ${asleepUa} uA, at 3.3 V: ${source}.`,
  ];
  if (asleep) {
    const { wakeMs, sampleMs, talkMs, saveMs, flashDays } = asleep;
    lines.push(
      `Awake a sample: ${figure(wakeMs)} ms to wake (an estimate unless --wake-ms says it), ${figure(sampleMs)} ms to compute, ` +
        `${figure(talkMs)} ms to talk${saveMs > 0 ? `, ${figure(saveMs)} ms to save to flash` : ""}.`,
    );
    if (flashDays !== undefined)
      lines.push(
        `The state doesn't fit RTC memory; saves wear the flash out in ${figure(flashDays)} days (100,000 erases).`,
      );
  } else
    lines.push("Asleep between samples: the period is too short to wake, compute, talk and sleep again.");
  lines.push(
    "The chip alone: sensors, regulator, LEDs and USB bridge of the board, and the battery's own losses, come on top.",
  );
  return lines.join("\n");
}
