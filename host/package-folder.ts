import { dirname } from "node:path";
import { fileURLToPath } from "node:url";

/** The package's folder: the bundle lies in its dist/. */
export const PACKAGE = dirname(dirname(fileURLToPath(import.meta.url)));
