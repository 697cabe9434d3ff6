declare module "motelearn/import-module" {
  /** The exports of a module whose name only a manifest knows. */
  export function importModule<Module = { default: never }>(name: string): Promise<Module>;
}
