import type { ParseArgsConfig, parseArgs } from "node:util";

export function readCommandLine<const T extends ParseArgsConfig>(
  command: string,
  takes: string,
  config: T,
): ReturnType<typeof parseArgs<T>>;
export function refuse(command: string, fault: string): never;
