import { importModule } from "motelearn/import-module";
import type { openTls } from "./tls-wire.ts";

interface TlsModule {
  readonly openTls: typeof openTls;
}

/** The module for a broker with TLS, which targets/moddable/tls.json brings. Throws a RangeError if it is missing. */
export async function importTls(): Promise<TlsModule> {
  try {
    return await importModule("motelearn/tls");
  } catch {
    throw new RangeError(
      "config: network: broker.ca: the firmware has no TLS: its manifest doesn't include targets/moddable/tls.json",
    );
  }
}
