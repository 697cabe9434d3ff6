import type { Database } from "node-sqlite3-wasm";
import type { FleetStore } from "../../fleet/store/fleet-store.ts";

/** The database behind a store: for what no gateway does, such as a limit on its pages. */
export function openedDatabase(store: FleetStore): Database {
  return (store as unknown as { readonly file: { readonly database: Database } }).file.database;
}
