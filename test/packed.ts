import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
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

/** Packs a clone in which nothing was built, and installs the package in an empty program without a network. */
export function installPacked(): Installed {
  const folder = mkdtempSync(join(tmpdir(), "motelearn-package-"));
  process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
  const [clone, app] = [join(folder, "clone"), join(folder, "app")];
  const ignored = readFileSync(join(root, ".gitignore"), "utf8").trim().split("\n");
  const left = new Set([".git", ...ignored].map((name) => resolve(root, name)));
  cpSync(root, clone, { recursive: true, filter: (path) => !left.has(path) });
  symlinkSync(join(root, "node_modules"), join(clone, "node_modules"));
  const [{ filename, files }] = JSON.parse(npm(clone, "pack", "--json", "--pack-destination", folder));
  mkdirSync(app);
  writeFileSync(join(app, "package.json"), '{ "name": "app", "version": "1.0.0", "type": "module" }');
  npm(app, "install", "--offline", join(folder, filename));
  return { app, files: files.map(({ path }: { path: string }) => path) };
}
