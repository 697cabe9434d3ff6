// Runs a program that is TypeScript, which Node 20 doesn't run as it is: node dev/run.mjs FILE [OPTION...]
import { imported } from "../targets/emulator/bundle.mjs";

const [file] = process.argv.splice(2, 1);
await imported(file);
