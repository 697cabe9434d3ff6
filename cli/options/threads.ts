import { availableParallelism } from "node:os";
import { Option } from "commander";
import { wholeNumber } from "../../host/terminal/arguments.ts";

/** `--threads`, 1 to 256, by default one for each core. @param doc what it says in --help; `sign`: of its value there. */
export function threadsOption(doc: string, sign = "n"): Option {
  return new Option(`--threads <${sign}>`, doc)
    .argParser(wholeNumber(1, 256))
    .default(availableParallelism());
}
