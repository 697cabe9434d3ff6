import { writeFileSync } from "node:fs";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { Log } from "../../fleet/gateway/log.ts";
import { errorLine } from "../../host/terminal/exit.ts";
import { parseAddress } from "../../tools/ports/address.ts";
import { runHere } from "../cli/program.ts";
import * as fc from "../properties.ts";
import { inFolder } from "./stations.ts";

const SECRET = "s3cr3t";
const AT = `mqtt://anna:${SECRET}@localhost:1/n1`;

/** What a command says to that address. */
async function said(...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await runHere(args);
  assert.is(code, 2, `${args.join(" ")}: ${stderr}`);
  assert.is(stderr.split("\n").length, 2, stderr);
  return stdout + stderr;
}

function fleetFile(rest: object): string {
  const file = inFolder("fleet.json");
  const nodes = [{ name: "n1", port: "unix:/nowhere/n1" }];
  writeFileSync(file, JSON.stringify({ schema: "motelearn.fleet/1", port: 0, nodes, ...rest }));
  return file;
}

test("no command repeats the password of an address that it refuses", async () => {
  const csv = inFolder("labels.csv");
  writeFileSync(csv, "seq,label\n1,1\n");
  const cases = [
    ["monitor", "--port", AT],
    ["record", "--port", AT, "--out", inFolder("r.ndjson")],
    ["inspect", "--port", AT],
    ["rollback", "--port", AT],
    ["bridge", "--port", "unix:/nowhere", "--to", AT],
    ["bridge", "--port", AT, "--to", "mqtt://localhost/n1"],
    ["worker", `nats://anna:${SECRET}@localhost:4222`],
    ["gateway", fleetFile({ nodes: [{ name: "n1", port: AT }] })],
    ["gateway", fleetFile({ homeAssistant: AT })],
    ["gateway", fleetFile({ nodes: [{ name: "n1", port: "unix:/n", labels: AT }] })],
    ["gateway", fleetFile({ cluster: { servers: [`nats://anna:${SECRET}@localhost`] } })],
  ];
  for (const args of cases) {
    const file = args[0] === "gateway" ? args[1] : undefined;
    const text = await said(...args);
    assert.not.match(text, SECRET, `${args.join(" ")} of ${file}`);
    assert.match(text, /anna:\.\.\.@localhost/, args.join(" "));
  }
});

test("an address with a password is refused, and says where the password belongs", () => {
  const character = fc.constantFrom(..."ab1:@/ ?#%\n=é");
  const password = fc.array(character, { minLength: 1, maxLength: 12 }).map((all) => `<${all.join("")}>`);
  const form = fc.constantFrom(
    (secret: string) => `mqtt://anna:${secret}@host/n1`,
    (secret: string) => `mqtts://anna:${secret}@host:8883,other/n1`,
    (secret: string) => `mqtt:/anna:${secret}@host/n1`,
    (secret: string) => `http://anna:${secret}@host/n1`,
    (secret: string) => `tcp://anna:${secret}@host:1`,
    (secret: string) => `anna:${secret}@host/n1`,
    (secret: string) => `mqtt://:${secret}@host/n1`,
  );
  fc.assert(
    fc.property(form, password, (write, secret) => {
      let message = "";
      try {
        parseAddress(write(secret));
      } catch (error) {
        message = errorLine(error);
      }
      assert.match(
        message,
        /:\.\.\.@host.*: an address has no password; give it in MOTELEARN_MQTT_PASSWORD$/,
      );
      assert.not.ok(/[<>]/.test(message), message);
    }),
  );
});

test("addresses with an @ and without a password are as before", () => {
  assert.equal(parseAddress("unix:/tmp/a:b@c"), { kind: "unix", path: "/tmp/a:b@c" });
  assert.equal(parseAddress("/dev/serial/by-id/usb:1@2"), {
    kind: "serial",
    path: "/dev/serial/by-id/usb:1@2",
  });
  assert.equal((parseAddress("mqtt://anna@host:1/n1") as { user?: string }).user, "anna");
});

test("the log of a gateway has no password of an address", () => {
  const { write } = process.stdout;
  let text = "";
  process.stdout.write = (options) => {
    text += options;
    return true;
  };
  try {
    new Log("info", true).write("warn", "n1", "lost", `${AT}: no answer`);
    new Log("info", false).write("warn", "n1", "lost", `${AT}: no answer`);
  } finally {
    process.stdout.write = write;
  }
  assert.is(text.match(/mqtt:\/\/anna:\.\.\.@localhost:1\/n1: no answer/g)?.length, 2);
});

test.run();
