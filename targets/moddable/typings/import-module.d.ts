declare module "motelearn/import-module" {
  /** The module of that name, which only a manifest knows: what it exports. */
  export function importModule(name: string): Promise<{ default: never }>;
}
