import { whole } from "../../host/schema-parts.ts";
import { ASKED_BY, RequestBody } from "./request-body.ts";

/** Turns a group of nodes that learn together on or off. */
interface GroupSwitch {
  /** Its place in the fleet file, from 0. */
  readonly group: number;
  readonly on: boolean;
  /** Who asks. */
  readonly by: string;
}

export const GROUP_SWITCH = new RequestBody<GroupSwitch>("switch", {
  type: "object",
  required: ["group", "on"],
  properties: {
    group: whole(0, 9999, "the group's place in the fleet file, from 0"),
    on: { type: "boolean", description: "false: its nodes get no models, and keep those that they have" },
    by: ASKED_BY,
  },
});
