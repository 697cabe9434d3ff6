import { printableJson } from "../../host/printable.ts";
import type { NodeAlarm } from "../api/node-state.ts";

/** What the topic and the webhook get of an alarm. */
export function alarmMessage({ node, name, on, since, class: current }: NodeAlarm): string {
  return printableJson({
    schema: "motelearn.alarm/1",
    node,
    alarm: name,
    on,
    ...(since !== undefined && { since: new Date(since).toISOString() }),
    ...(current !== undefined && { class: current }),
  });
}
