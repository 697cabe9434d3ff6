import { runProgram } from "../emulator/programs/program.ts";
import { nativeF32 } from "../moddable/native-f32.ts";
import { LinuxHost } from "./host.ts";
import { runStation } from "./node.ts";

const host = new LinuxHost();
const argument = JSON.parse(host.argument());
if (argument.run === "station") runStation(host, argument);
else runProgram(host, { c: (bytes) => nativeF32(new ArrayBuffer(bytes)) });
