// A project's modules on the emulated board, as Moddable runs them on a chip. The board's script is this
// bundle, the project's modules as functions, and `run(project)` as its main program: see ../project.mjs.

import { type DescribedOptions, describeNode } from "../../../src/node/description.ts";
import * as library from "../../moddable/index.ts";
import * as firmware from "../../moddable/run-node.ts";
import type { Host } from "../programs/host.ts";
import Analog from "./analog.ts";
import Digital from "./digital.ts";
import { EventLoop } from "./event-loop.ts";
import Flash from "./flash.ts";
import I2C from "./i2c.ts";
import Serial from "./serial.ts";
import SMBus from "./smbus.ts";
import Time from "./time.ts";
import Timer from "./timer.ts";

declare const host: Host;

type Exports = Record<string, unknown>;
type Module = (exports: Exports, require: (name: string) => Exports) => void;

/** A program of its own modules. */
export interface Project {
  /** `config` of its manifest and of those that it includes. */
  readonly config: object;
  /** CommonJS by path, `main.js` among them. */
  readonly modules: { readonly [path: string]: Module };
}

const only = (value: unknown): Exports => ({ __esModule: true, default: value });

/** The modules that a program may import besides its own. */
const PROVIDED: { readonly [name: string]: Exports } = Object.freeze({
  motelearn: library,
  "motelearn/board": firmware,
  "embedded:io/analog": only(Analog),
  "embedded:io/digital": only(Digital),
  "embedded:io/i2c": only(I2C),
  "embedded:io/serial": only(Serial),
  "embedded:io/smbus": only(SMBus),
  "embedded:storage/flash": only(Flash),
  time: only(Time),
  timer: only(Timer),
});

/** `./b` or `../b`, as named in a module of that path. */
function resolvePath(from: string, name: string): string {
  const parts = from.split("/").slice(0, -1);
  for (const part of name.split("/")) {
    if (part === "..") parts.pop();
    else if (part !== ".") parts.push(part);
  }
  const path = parts.join("/");
  return path.endsWith(".js") ? path : `${path}.js`;
}

/** Imports one of the project's modules and, before it, those that it imports. */
function importer({ config, modules }: Project): (path: string) => Exports {
  const imported: { [path: string]: Exports } = {};
  const provided: { [name: string]: Exports } = { ...PROVIDED, "mc/config": only(config) };
  function load(path: string): Exports {
    if (imported[path]) return imported[path];
    imported[path] = {};
    modules[path](imported[path], (name) => {
      const own = name.startsWith(".") ? resolvePath(path, name) : "";
      if (modules[own]) return load(own);
      if (provided[name]) return provided[name];
      const names = Object.keys(provided).join(", ");
      throw new Error(`${path} imports ${name}, which the emulated board hasn't; it has ${names}`);
    });
    return imported[path];
  }
  return load;
}

/** What whoever starts the board may say. */
interface Argument {
  /** Milliseconds after which the program ends; default: none. */
  readonly untilMs?: number;
}

/** What a node with this configuration says of itself; made while the script is compiled. */
export function description({ node }: { readonly node?: DescribedOptions }): string {
  return node ? describeNode(node) : "";
}

/** What the machine calls, once it has started. */
export function run(project: Project): void {
  const eventLoop = new EventLoop();
  Object.assign(globalThis, {
    eventLoop,
    project,
    trace: (...texts: unknown[]) => host.print(texts.join("")),
  });
  importer(project)("main.js");
  const { untilMs } = JSON.parse(host.argument()) as Argument;
  eventLoop.run(untilMs);
}
