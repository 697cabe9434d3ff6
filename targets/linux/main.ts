import { runJob } from "../emulator/programs/program.ts";
import { nativeF32 } from "../moddable/native-f32.ts";
import { LinuxHost } from "./host.ts";
import { runStation } from "./node.ts";

const host = new LinuxHost();
const job = JSON.parse(host.job());
if (job.run === "station") runStation(host, job);
else runJob(host, { c: (bytes) => nativeF32(new ArrayBuffer(bytes)) });
