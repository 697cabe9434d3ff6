import { runProgram } from "../emulator/programs/program.ts";
import { nativeF32 } from "../moddable/native-f32.ts";
import { LinuxHost } from "./host.ts";
import { runMod } from "./mod.ts";
import { runMqttStation, runStation } from "./node.ts";

const host = new LinuxHost();
const argument = JSON.parse(host.argument());
if (argument.run === "station") runStation(host, argument);
else if (argument.run === "mqtt") runMqttStation(host, argument);
else if (argument.run === "mod") runMod(host);
else runProgram(host, { c: (bytes) => nativeF32(new ArrayBuffer(bytes)) });
