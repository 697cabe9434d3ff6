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

/** The same, some of them whole numbers: of each by its name the usual one, the least, and the most. `more`: the others' configuration. */
export function readNumbers(command, takes, numbers, more = {}) {
  const texts = Object.entries(numbers).map(([name, [usual]]) => [
    name,
    { type: "string", default: `${usual}` },
  ]);
  const { values } = readCommandLine(command, takes, { options: { ...more, ...Object.fromEntries(texts) } });
  for (const [name, [, least, most = 2 ** 32 - 1]] of Object.entries(numbers)) {
    const number = Number(values[name]);
    if (!Number.isInteger(number) || number < least || number > most)
      refuse(command, `--${name}: got ${values[name]}; takes ${least} to ${most}`);
    values[name] = number;
  }
  return values;
}

/** Ends the process with 2, after a line that says what is wrong. */
export function refuse(command, fault) {
  console.error(`${command}: ${fault}`);
  process.exit(2);
}
