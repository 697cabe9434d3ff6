import { endQuietlyOnClosedPipe } from "../host/terminal/exit.ts";
import { runProgram } from "./program.ts";

endQuietlyOnClosedPipe();
await runProgram(process.argv.slice(2));
