declare module "motelearn/import-module" {
  /** The module of that name, which only a manifest knows: what it exports. */
  export function importModule<Module = { default: never }>(name: string): Promise<Module>;
}
