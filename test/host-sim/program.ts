import { execFileSync } from "node:child_process";

/** The output of a program that imports the library by the package's name, as a user's does. */
export function program(text: string, env: { readonly [name: string]: string } = {}) {
  const source = `import * as motelearn from "motelearn"; const { OlkC, SensorNode, Layout } = motelearn; ${text}`;
  const args = ["--expose-gc", "--input-type=module", "--eval", source];
  return JSON.parse(
    execFileSync(process.execPath, args, { encoding: "utf8", env: { ...process.env, ...env } }),
  );
}
