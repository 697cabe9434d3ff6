import { runProgram } from "../emulator/programs/program.ts";
import { nativeF32 } from "../moddable/native-f32.ts";
import { LinuxHost } from "./host.ts";
import { runMod } from "./mod.ts";
import { runMqttStation, runStation } from "./node.ts";
import { runTls } from "./tls.ts";

/** The program's argument. Throws a RangeError if it isn't JSON. */
function argumentOf(host: LinuxHost) {
  try {
    return JSON.parse(host.argument());
  } catch {
    throw new RangeError("takes JSON, or the name of a file that holds it");
  }
}

const host = new LinuxHost();
const argument = argumentOf(host);
if (argument.run === "station") runStation(host, argument);
else if (argument.run === "mqtt") runMqttStation(host, argument);
else if (argument.run === "tls") runTls(host, argument);
else if (argument.run === "mod") runMod(host);
else runProgram(host, { c: (bytes) => nativeF32(new ArrayBuffer(bytes)) });
