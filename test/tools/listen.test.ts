import { existsSync, mkdirSync, statSync, writeFileSync } from "node:fs";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { DeviceError, UserError } from "../../host/errors.ts";
import { type ListenTrust, listen, parseSocketAddress } from "../../tools/ports/listen.ts";
import { refusesHere } from "../cli/program.ts";
import { inFolder } from "./stations.ts";

const readMode = (path: string) => statSync(path).mode & 0o777;

async function listenFault(name: string, trust: ListenTrust = {}): Promise<Error> {
  try {
    (await listen("--listen", name, trust)).server.close();
  } catch (error) {
    return error as Error;
  }
  throw new Error(`${name} was listened at`);
}

test("a socket is its user's alone from its first moment, whatever the umask", async () => {
  const path = inFolder("private");
  const usual = process.umask(0);
  const listening = listen("--listen", `unix:${path}`, {});
  assert.is(readMode(path), 0o600, "before anything else could run");
  assert.is(process.umask(usual), 0, "the umask is as it was");
  (await listening).server.close();
});

test("what other machines reach takes --insecure", () => {
  for (const host of ["0.0.0.0", "[::]", "192.168.1.2", "example.org", "127.0.0.1.example.org"]) {
    const address = `tcp://${host}:0`;
    assert.throws(
      () => parseSocketAddress("--share", address, {}),
      (error: Error) => error instanceof UserError && /give --insecure, or/.test(error.message),
    );
    assert.is(parseSocketAddress("--listen", address, { insecure: true }).kind, "tcp");
  }
  for (const host of ["localhost", "127.0.0.1", "127.9.9.9", "[::1]"])
    assert.is(parseSocketAddress("--listen", `tcp://${host}:0`, {}).kind, "tcp");
});

test("the refusal names what mends it", async () => {
  await refusesHere(
    ["fusion", "--listen", "tcp://0.0.0.0:0"],
    "--listen tcp://0.0.0.0:0",
    "give --insecure, or listen",
  );
  await refusesHere(
    ["monitor", "--port", "unix:/x", "--share", "tcp://0.0.0.0:0"],
    "--share tcp://0.0.0.0:0",
    "give --insecure, or listen",
  );
});

test("a socket that nobody answers at is taken over; what is no socket is left alone, and said", async () => {
  const stale = inFolder("stale");
  const first = await listen("--listen", `unix:${stale}`, {});
  assert.instance(await listenFault(`unix:${stale}`), DeviceError);
  first.server.close();
  (await listen("--listen", `unix:${stale}`, {})).server.close();
  const file = inFolder("precious");
  writeFileSync(file, "rows");
  const folder = inFolder("folder");
  mkdirSync(folder);
  for (const path of [
    file,
    folder,
    `${file}/x`,
    inFolder("no/x"),
    "/proc/x",
    "/proc",
    `/tmp/${"x".repeat(200)}`,
  ]) {
    const fault = await listenFault(`unix:${path}`);
    assert.ok(fault instanceof UserError || fault instanceof DeviceError, `${path}: ${fault}`);
    assert.match(fault.message, /^(--listen )?unix:[^\n]+$/);
  }
  assert.ok(existsSync(file) && existsSync(folder));
});

test.run();
