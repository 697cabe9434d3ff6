import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { systemPorts } from "../../tools/ports/list.ts";

const root = mkdtempSync(join(tmpdir(), "motelearn-"));
test.after(() => rmSync(root, { recursive: true }));

function link(path: string, to: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  mkdirSync(join(root, to), { recursive: true });
  symlinkSync(join(root, to), join(root, path));
}

/** A terminal of the kernel's, with a device of that driver behind it; `node`: whether it has a node in /dev. */
function terminal(name: string, driver: string, node: boolean): void {
  const device = `sys/devices/${name}`;
  link(`sys/class/tty/${name}/device`, device);
  link(`${device}/driver`, `sys/bus/drivers/${driver}`);
  mkdirSync(join(root, "dev"), { recursive: true });
  if (node) writeFileSync(join(root, "dev", name), "");
}

test("without udev: the kernel's list, of what has a device and a node; the name by id where there is one", () => {
  terminal("ttyUSB1", "cp210x", true);
  terminal("ttyUSB0", "ftdi_sio", true);
  terminal("ttyACM0", "cdc_acm", false);
  terminal("ttyS0", "serial8250", true);
  mkdirSync(join(root, "sys/class/tty/tty0"), { recursive: true }); // no device: a console
  mkdirSync(join(root, "dev/serial/by-id"), { recursive: true });
  symlinkSync(join(root, "dev/ttyUSB0"), join(root, "dev/serial/by-id/usb-Espressif_board"));
  assert.equal(systemPorts(root), [
    { path: "/dev/ttyUSB0", about: "usb-Espressif_board" },
    { path: "/dev/ttyUSB1", about: "cp210x" },
  ]);
});

test("a system that lists none has none", () => {
  assert.equal(systemPorts(join(root, "nowhere")), []);
});

test.run();
