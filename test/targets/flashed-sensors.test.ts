import { join } from "node:path";
import { build, type Plugin } from "esbuild";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { type Mod, type OwnSensors, openBy } from "../../targets/moddable/own-sensors.ts";

/** Sensors with that many readings in a sample. */
const opening = (channels: number) => ({ openSensors: () => [{ channels, read() {} }] });

/** A mod that exports that. */
const makeMod = (own: object): Mod => ({
  ...{ isThere: true, fault: undefined, load: async () => own },
  ...{ beginTrial() {}, endTrial() {} },
});
const NONE: Mod = { ...makeMod({}), isThere: false };

/** Modules of a board, by name; main.ts takes what they export from `globalThis.board`. */
const BOARD: { readonly [module: string]: string } = {
  "mc/config": "export default board.config",
  "motelearn/board": "export const { openOwn, openSensors, runNode } = board",
};
const onBoard: Plugin = {
  name: "board",
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^(mc|motelearn)\// }, ({ path }) => ({ path, namespace: "board" }));
    onLoad({ filter: /.*/, namespace: "board" }, ({ path }) => ({ contents: BOARD[path] }));
  },
};

let text = "";
let made = 0;

/** The sensors that the program of `flash` runs a node with, for 2 channels, where its own have so many. */
async function opened(mod: Mod, channels: number | undefined, own = 2): Promise<OwnSensors> {
  return new Promise((resolve, reject) => {
    const board = {
      ...opening(own),
      config: { node: { channels }, sensors: [], wire: {} },
      openOwn: (builtIn: object, open: never) => openBy(mod, builtIn, open),
      runNode: async (_: object, sensors: OwnSensors) => resolve(sensors),
    };
    Object.assign(globalThis, { board, trace: reject });
    const url = `data:text/javascript,${encodeURIComponent(`${text}\n// ${++made}`)}`;
    import(url).catch(reject);
  });
}

const listChannels = ({ sensors }: OwnSensors) => sensors.map(({ channels }) => channels);

test.before(async () => {
  const entry = join(process.cwd(), "targets/moddable/main.ts");
  const { outputFiles } = await build({
    ...{ entryPoints: [entry], bundle: true, write: false as const, format: "esm" as const },
    plugins: [onBoard],
  });
  text = outputFiles[0].text;
});

test("the program of flash takes a mod with as many channels as its node was checked for", async () => {
  const mod = makeMod(opening(2));
  const own = await opened(mod, 2);
  assert.equal([own.mod, own.fault, listChannels(own)], [mod, undefined, [2]]);
});

test("it leaves out a mod with another number of channels, and has the node say so", async () => {
  const own = await opened(makeMod(opening(3)), 2);
  assert.equal([own.mod, listChannels(own)], [undefined, [2]]);
  assert.is(own.fault, "RangeError: its sensors have 3 channels, not 2 as config.node; flash it for them");
});

test("where nobody checked its node, it takes a mod with any channels", async () => {
  const mod = makeMod(opening(3));
  const own = await opened(mod, undefined);
  assert.equal([own.mod, own.fault, listChannels(own)], [mod, undefined, [3]]);
});

test("runNode gets sensors of its own with another number of channels, as it refuses them and reverts", async () => {
  const own = await opened(NONE, 2, 3);
  assert.equal([own.mod, own.fault, listChannels(own)], [undefined, undefined, [3]]);
});

test.run();
