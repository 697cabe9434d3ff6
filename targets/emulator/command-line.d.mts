import type { ParseArgsConfig, parseArgs } from "node:util";

export function readCommandLine<const T extends ParseArgsConfig>(
  command: string,
  takes: string,
  config: T,
): ReturnType<typeof parseArgs<T>>;
export function readNumbers<const N extends string, const O extends NonNullable<ParseArgsConfig["options"]>>(
  command: string,
  takes: string,
  numbers: { readonly [name in N]: readonly [usual: number, least: number, most?: number] },
  more?: O,
): { [name in N]: number } & ReturnType<typeof parseArgs<{ options: O }>>["values"];
export function refuse(command: string, fault: string): never;
