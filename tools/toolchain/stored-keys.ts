/**
 * Transfers a node's keys and network to an ESP32: a small NVS in a separate partition, from which its
 * firmware takes them.
 */
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { PACKAGE } from "../../host/package-folder.ts";
import { printLine } from "../../host/terminal/print.ts";
import type { KeyFile } from "../keys/key-file.ts";
import type { CommandLine, Perform } from "./firmware.ts";
import type { FlashPart } from "./flash-file.ts";
import type { NetworkFile } from "./network-file.ts";

/** The names that targets/moddable/stored-keys.c reads. */
const SPACE = "motelearn";
const PARTITION = "keys";
const PARTITIONS = join(PACKAGE, "targets/moddable/partitions.csv");

const TABLE = "keys.csv";
const IMAGE = "keys.bin";
const AUTHORITY = "ca.der";

/** Keys of the wire and of labels, and the network, in their files. */
interface StoredFiles {
  readonly key?: KeyFile;
  readonly labelKey?: KeyFile;
  readonly wifi?: NetworkFile;
}

/** The input of ESP-IDF's NVS generator. It only names the files, so it isn't secret. */
function nvsTable(folder: string, { key, labelKey, wifi }: StoredFiles): string {
  const ca = wifi?.authority && { file: join(folder, AUTHORITY) };
  const row = (name: string, encoding: string, options?: { readonly file: string }) =>
    options ? [`${name},file,${encoding},"${options.file.replaceAll('"', '""')}"`] : [];
  const rows = [
    ...row("key", "hex2bin", key),
    ...row("labelKey", "hex2bin", labelKey),
    ...row("network", "binary", wifi),
    ...row("ca", "binary", ca),
  ];
  return ["key,type,encoding,value", `${SPACE},namespace,,`, ...rows, ""].join("\n");
}

/** Writes the table, and the certificate that it names. */
export function writeTable(folder: string, files: StoredFiles): void {
  const { authority } = files.wifi ?? {};
  if (authority) writeFileSync(join(folder, AUTHORITY), authority.der);
  writeFileSync(join(folder, TABLE), nvsTable(folder, files));
}

/** Offset and bytes of the partition, from the table. */
function partition(): { readonly offset: string; readonly bytes: string } {
  const text = readFileSync(PARTITIONS, "utf8");
  const line = text.split("\n").find((row) => row.startsWith(`${PARTITION},`)) as string;
  const [, , , offset, bytes] = line.split(",").map((cell) => cell.trim());
  return { offset, bytes };
}

/** The command that makes the NVS in `folder`: a program of ESP-IDF. */
function makeKeys(folder: string): CommandLine {
  const components = join(process.env.IDF_PATH || "$IDF_PATH", "components");
  const generator = join(components, "nvs_flash/nvs_partition_generator/nvs_partition_gen.py");
  const words = ["python", generator, "generate", TABLE, IMAGE, partition().bytes];
  return { folder, env: {}, words };
}

/** The commands that make the NVS in `folder` and write it to a board: ESP-IDF's own programs. */
function keyCommands(folder: string, port: string | undefined): CommandLine[] {
  const writer = join(process.env.IDF_PATH || "$IDF_PATH", "components/partition_table/parttool.py");
  const at = port === undefined ? [] : ["--port", port];
  const to = ["--partition-name", PARTITION, "--input", IMAGE];
  const write = ["python", writer, ...at, "--partition-table-file", PARTITIONS];
  return [
    makeKeys(folder),
    ...[
      [...write, "write_partition", ...to],
      ["rm", IMAGE],
    ].map((words) => ({ folder, env: {}, words })),
  ];
}

/** Runs them so that only the user can access the image, which holds the keys, and no copy remains. */
function performWithImage<Made>(folder: string, perform: () => Made): Made {
  const image = join(folder, IMAGE);
  rmSync(image, { force: true });
  writeFileSync(image, "", { mode: 0o600 });
  try {
    return perform();
  } finally {
    rmSync(image, { force: true });
  }
}

/**
 * The folder of the build's `sdkconfig.defaults`: the last included manifest that names one decides, as
 * mcconfig has it.
 */
function sdkconfigFolder(include: readonly string[]): string {
  let found = join(PACKAGE, "targets/moddable/sdkconfig");
  for (const file of include.filter((name) => !name.startsWith("$("))) {
    const path: unknown = JSON.parse(readFileSync(file, "utf8")).build?.SDKCONFIGPATH;
    if (typeof path === "string") found = resolve(dirname(file), path);
  }
  return found;
}

/** A sentence: the board's NVS, which has `what`, will be encrypted, or won't. */
function encryptionText(include: readonly string[], what: string): string {
  const file = join(sdkconfigFolder(include), "sdkconfig.defaults");
  const text = existsSync(file) ? readFileSync(file, "utf8") : "";
  if (/^CONFIG_NVS_ENCRYPTION=y$/m.test(text)) return `${what}: the board keeps them encrypted, by ${file}`;
  return `${what}: the board keeps them in clear: ${file} doesn't set CONFIG_NVS_ENCRYPTION=y`;
}

/** What a board stores, and how it is built and reached. */
interface KeyFlags extends StoredFiles {
  readonly include: readonly string[];
  readonly port?: string;
  readonly dryRun?: boolean;
}

function sayEncryption({ include, key, labelKey, wifi }: KeyFlags): void {
  const what = [...((key ?? labelKey) ? ["keys"] : []), ...(wifi ? ["network"] : [])].join(" and ");
  printLine(encryptionText(include, what));
}

/** Makes the NVS and writes it to a board. */
export function putKeys(flags: KeyFlags, folder: string, perform: Perform): void {
  const commands = keyCommands(folder, flags.port);
  sayEncryption(flags);
  if (flags.dryRun) commands.forEach(perform);
  else performWithImage(folder, () => commands.forEach(perform));
}

/** Makes the NVS for the flash of an emulated board; in a dry run, none. */
export function keyParts(flags: KeyFlags, folder: string, perform: Perform): FlashPart[] {
  const offset = Number(partition().offset);
  sayEncryption(flags);
  if (flags.dryRun) perform(makeKeys(folder));
  if (flags.dryRun) return [];
  return performWithImage(folder, () => {
    perform(makeKeys(folder));
    return [{ offset, bytes: readFileSync(join(folder, IMAGE)) }];
  });
}
