import { UserError } from "../../host/errors.ts";
import { suggestion } from "../../host/suggestions.ts";
import { parseAddress } from "../../tools/ports/address.ts";
import type { AlarmRule } from "../alarms/alarm.ts";
import type { FleetText } from "./fleet-schema.ts";

/** Checks what the schema can't of a fleet file's alarms. Throws a UserError. */
export function checkAlarms(place: string, { alarms, nodes }: FleetText): void {
  if (!alarms) return;
  const { rules, webhook, mqtt } = alarms;
  const names = nodes.map(({ name }) => name);
  rules.forEach((rule, index) => {
    const at = `${place}.rules.${index}`;
    if (rules.slice(0, index).some(({ name }) => name === rule.name))
      throw new UserError(`${at}.name: ${rule.name} is another alarm's, too; each needs a name of its own`);
    checkRaised(at, rule);
    const stranger = rule.nodes?.find((node) => !names.includes(node));
    if (stranger !== undefined)
      throw new UserError(`${at}.nodes: no node ${stranger}${suggestion(stranger, names)}`);
    checkClasses(at, rule, nodes);
  });
  if (mqtt !== undefined) checkTopics(`${place}.mqtt`, mqtt, nodes);
  if (webhook !== undefined && !URL.canParse(webhook))
    throw new UserError(`${place}.webhook: not an address; takes https://HOST/PATH, or http://`);
}

/** Whoever reads all alarms would read the frames of a node below their topic. */
function checkTopics(place: string, mqtt: string, nodes: FleetText["nodes"]): void {
  const nameAt = (text: string) => {
    const address = parseAddress(text);
    return address.kind === "mqtt" ? address.name : "";
  };
  const topic = nameAt(mqtt);
  const below = nodes.find(({ port }) => `${nameAt(port)}/`.startsWith(`${topic}/`));
  if (below)
    throw new UserError(`${place}: ${topic} lies above the topics of node ${below.name}; give another topic`);
}

/** An alarm is raised by classes, or by silence, which has no samples to count. */
function checkRaised(at: string, { classes, silentSeconds, onSamples, onSeconds }: AlarmRule): void {
  if ((classes === undefined) === (silentSeconds === undefined))
    throw new UserError(`${at}: takes either classes or silentSeconds`);
  if (silentSeconds !== undefined && (onSamples !== undefined || onSeconds !== undefined))
    throw new UserError(`${at}: silentSeconds says when it goes on; remove onSamples and onSeconds`);
}

/** Where the fleet file names the classes of all watched nodes, an alarm's names are among them. */
function checkClasses(at: string, rule: AlarmRule, nodes: FleetText["nodes"]): void {
  const watched = nodes.filter(({ name }) => rule.nodes?.includes(name) ?? true);
  if (watched.some(({ classes }) => classes === undefined)) return;
  const known = [...new Set(watched.flatMap(({ classes = [] }) => classes))];
  const unknown = rule.classes?.find((each) => typeof each === "string" && !known.includes(each));
  if (unknown !== undefined)
    throw new UserError(`${at}.classes: no class ${unknown}${suggestion(String(unknown), known)}`);
}
