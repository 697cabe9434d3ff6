import { execFileSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

const root = process.cwd();

function npm(cwd: string, ...args: string[]): string {
  return execFileSync("npm", args, { cwd, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });
}

/** The package in a user's program. */
export interface Installed {
  /** The program's folder, gone when the process ends. */
  readonly app: string;
  /** Paths in the package. */
  readonly files: readonly string[];
}

/** The package that one test file makes for all of this build: a build of the tests removes it. */
const KEPT = join(root, "dist/test/packed");
const [TARBALL, FILES, FAULT, PACKER] = ["motelearn.tgz", "files.json", "fault", "pid"].map((name) =>
  join(KEPT, name),
);
const LOOK_MS = 100;
const LOOKS_MAX = 5_000;

/** Packs a clone in which nothing was built. */
function pack(): void {
  const folder = mkdtempSync(join(tmpdir(), "motelearn-clone-"));
  const ignored = readFileSync(join(root, ".gitignore"), "utf8").trim().split("\n");
  const left = new Set([".git", ...ignored].map((name) => resolve(root, name)));
  try {
    writeFileSync(PACKER, String(process.pid));
    cpSync(root, folder, { recursive: true, filter: (path) => !left.has(path) });
    symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
    const [{ filename, files }] = JSON.parse(npm(folder, "pack", "--json", "--pack-destination", KEPT));
    renameSync(join(KEPT, filename), TARBALL);
    writeFileSync(join(KEPT, "files"), JSON.stringify(files.map(({ path }: { path: string }) => path)));
    renameSync(join(KEPT, "files"), FILES);
  } catch (error) {
    writeFileSync(FAULT, String(error));
    throw error;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** True if the process that packs still runs. */
function isPacking(): boolean {
  try {
    return !existsSync(PACKER) || process.kill(Number(readFileSync(PACKER, "utf8")), 0);
  } catch {
    return false;
  }
}

/** Waits for the test file that packs. */
function awaitPacked(): void {
  const sleeper = new Int32Array(new SharedArrayBuffer(4));
  for (let looks = 0; !existsSync(FILES); looks++) {
    if (existsSync(FAULT)) throw new Error(readFileSync(FAULT, "utf8"));
    if (looks === LOOKS_MAX || (!isPacking() && !existsSync(FILES)))
      throw new Error(`${KEPT}: nobody completes the package; remove it`);
    Atomics.wait(sleeper, 0, 0, LOOK_MS);
  }
}

/** Installs the package, packed once for all test files, in an empty program without a network. */
export function installPacked(): Installed {
  let isFirst = true;
  try {
    mkdirSync(KEPT);
  } catch {
    isFirst = false;
  }
  if (isFirst) pack();
  else awaitPacked();
  const app = mkdtempSync(join(tmpdir(), "motelearn-app-"));
  process.on("exit", () => rmSync(app, { recursive: true, force: true }));
  writeFileSync(join(app, "package.json"), '{ "name": "app", "version": "1.0.0", "type": "module" }');
  npm(app, "install", "--offline", TARBALL);
  return { app, files: JSON.parse(readFileSync(FILES, "utf8")) };
}
