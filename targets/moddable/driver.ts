import { importModule } from "motelearn/import-module";

/** What a sensor of ECMA-419 gives. */
export interface Sample {
  readonly [name: string]: number | Sample | undefined;
}

/** A sensor of ECMA-419. */
export interface Driver {
  sample(): Sample | undefined;
}

/** The class that a driver's module exports: one that the manifest includes, such as `embedded:sensor/Temperature/TMP117`. */
export async function importDriver(module: string): Promise<new (options: object) => Driver> {
  return (await importModule(module)).default;
}
