// The page that a gateway serves.
import { Alarms } from "./alarms.ts";
import { App, rememberName, type View } from "./app.ts";
import { renderCommands } from "./commands.ts";
import { Compare } from "./compare.ts";
import { GatewaySource } from "./gateway-source.ts";
import { Groups } from "./groups.ts";
import { Labelling } from "./labelling.ts";
import { fetchSession } from "./login.ts";
import { NodePage } from "./node-page.ts";
import { Overview } from "./overview.ts";

function route(app: App, path: string, query: URLSearchParams): View | undefined {
  const [, kind, name] = path.split("/");
  if (kind === "") return new Overview(app);
  if (kind === "node" && name) {
    const node = decodeURIComponent(name);
    return new NodePage(app, node, [renderCommands(app, node)]);
  }
  if (kind === "alarms") return new Alarms(app);
  if (kind === "groups") return new Groups(app);
  if (kind === "label") return new Labelling(app, query.get("node") ?? undefined);
  const nodes = query.getAll("node");
  if (kind === "compare" && nodes.length > 0) return new Compare(app, nodes);
  return undefined;
}

const session = await fetchSession();
if (session.name) rememberName(session.name);
const app = new App(new GatewaySource(session), route, [
  ["Overview", "#/"],
  ["Alarms", "#/alarms"],
  ["Questions", "#/label"],
  ["Groups", "#/groups"],
  ["Board by USB", "/serial.html"],
]);
// For benchmarks: how many pictures were drawn.
Object.assign(globalThis, { motelearn: app });
