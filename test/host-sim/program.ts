import { execFileSync } from "node:child_process";

/** What a program prints that imports the library as a user's does, by the package's name. */
export function program(text: string, env: { readonly [name: string]: string } = {}) {
  const source = `import * as motelearn from "motelearn"; const { OlkC, SensorNode, Layout } = motelearn; ${text}`;
  const args = ["--expose-gc", "--input-type=module", "--eval", source];
  return JSON.parse(
    execFileSync(process.execPath, args, { encoding: "utf8", env: { ...process.env, ...env } }),
  );
}
