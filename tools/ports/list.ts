import { existsSync, readdirSync, realpathSync } from "node:fs";
import { basename, join } from "node:path";
import { loadSerialPort } from "./serialport.ts";

/** A serial device of this machine. */
interface ListedPort {
  readonly path: string;
  /** Its description: the maker, the bus, the name by id. */
  readonly about: string;
}

/**
 * The serial devices of this machine. On Linux it reads the kernel's list where udev or the package
 * serialport is missing.
 */
export async function listPorts(): Promise<ListedPort[]> {
  try {
    const found = await (await loadSerialPort()).list();
    return found.map(({ path, manufacturer, pnpId }) => ({
      path,
      about: [manufacturer, pnpId].filter((text) => text).join(", "),
    }));
  } catch (error) {
    if (process.platform !== "linux") throw error;
    return systemPorts("/");
  }
}

/**
 * The serial devices in the kernel's list below `root`: entries of /sys/class/tty with a device and a node in
 * /dev, with their names in /dev/serial/by-id.
 */
export function systemPorts(root: string): ListedPort[] {
  const classes = join(root, "sys/class/tty");
  if (!existsSync(classes)) return [];
  const names = namesById(join(root, "dev/serial/by-id"));
  return readdirSync(classes)
    .filter((name) => existsSync(join(classes, name, "device")) && existsSync(join(root, "dev", name)))
    .filter((name) => readDriver(join(classes, name)) !== "serial8250")
    .sort()
    .map((name) => ({ path: `/dev/${name}`, about: names.get(name) ?? readDriver(join(classes, name)) }));
}

/** The kernel's driver of a device; serial8250 also lists ports that don't exist. */
function readDriver(device: string): string {
  const link = join(device, "device/driver");
  return existsSync(link) ? basename(realpathSync(link)) : "";
}

function namesById(folder: string): Map<string, string> {
  if (!existsSync(folder)) return new Map();
  return new Map(readdirSync(folder).map((name) => [basename(realpathSync(join(folder, name))), name]));
}
