// The same page as one file, for a board at this computer: no server.
import { App, type View } from "./app.ts";
import { renderCommands } from "./commands.ts";
import { Connect } from "./connect.ts";
import { Labelling } from "./labelling.ts";
import { NodePage } from "./node-page.ts";
import { BOARD, SerialSource } from "./serial-source.ts";

const source = new SerialSource();
addEventListener("pagehide", () => source.leave());

function route(app: App, path: string): View | undefined {
  if (path === "/" || source.states === undefined) return new Connect(app, source);
  if (path === `/node/${BOARD}`) return new NodePage(app, BOARD, [renderCommands(app, BOARD)]);
  return path === "/label" ? new Labelling(app, BOARD) : undefined;
}

new App(source, route, [
  ["Connect", "#/"],
  ["Node", `#/node/${BOARD}`],
  ["Questions", "#/label"],
]);
