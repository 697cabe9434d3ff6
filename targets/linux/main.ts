import { LinuxHost } from "./host.ts";
import { runMod } from "./mod.ts";
import { runMqttStation } from "./node.ts";
import { runTls } from "./tls.ts";

/** The program's argument. Throws a RangeError if it isn't JSON. */
function readArgument(host: LinuxHost) {
  try {
    return JSON.parse(host.argument());
  } catch {
    throw new RangeError("takes JSON, or the name of a file that holds it");
  }
}

const host = new LinuxHost();
const argument = readArgument(host);
if (argument.run === "mqtt") runMqttStation(host, argument);
else if (argument.run === "tls") runTls(host, argument);
else if (argument.run === "mod") runMod(host);
else throw new RangeError(`run: got ${argument.run}; takes mqtt, mod or tls`);
