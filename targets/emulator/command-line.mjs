import { parseArgs } from "node:util";

/**
 * The options of a development command, by a configuration of `parseArgs`. A wrong one ends the process with 2, after a line that says what the command
 * takes.
 */
export function readCommandLine(command, takes, config) {
  try {
    return parseArgs(config);
  } catch (error) {
    return refuse(command, `${error.message.split(". ")[0]}; takes ${takes}`);
  }
}

/** Ends the process with 2, after a line that says what is wrong. */
export function refuse(command, fault) {
  console.error(`${command}: ${fault}`);
  process.exit(2);
}
