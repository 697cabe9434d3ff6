import type { FirmwareConfig } from "../../moddable/run-node.ts";

export { checkGivenConfig } from "../../moddable/given-config.ts";

declare const project: { readonly config: { readonly node?: unknown }; readonly description: string };

/** As native-given-config.js has it: made before the machine's objects become read-only, which XS's JSON refuses. */
export function nodeDescription(node: FirmwareConfig["node"]): string {
  return node === project.config.node ? project.description : "";
}
