import { importModule } from "motelearn/import-module";

/** A sample of an ECMA-419 sensor. */
export interface Sample {
  readonly [name: string]: number | Sample | undefined;
}

/** A sensor of ECMA-419. */
export interface Driver {
  sample(): Sample | undefined;
}

/**
 * The class that a driver's module exports. The manifest includes the module, such as
 * `embedded:sensor/Temperature/TMP117`.
 */
export async function importDriver(module: string): Promise<new (options: object) => Driver> {
  return (await importModule(module)).default;
}
