// A node's TLS in the program for x-cli-lin at mosquitto: which certificates it takes, and the least memory of XS
// with which it connects. Takes openssl on PATH.
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { check, largest } from "../device/checks.mjs";
import { Authority, HOST, Mosquitto } from "./mosquitto.mjs";

/** Bytes of chunks and slots beyond what any connection takes. */
const MOST = { chunks: 32_000, slots: 8_000 };
const OUTCOME = /^(connected|TLS: .*|it doesn't connect)$/;
/** How the program's connection ends: `connected`, or its last line; and what was in use before. */
function connect(program, port, ca, limits) {
  const argument = JSON.stringify({ run: "tls", broker: { host: HOST, port }, ca });
  const env = { ...process.env, ...(limits && { MOTELEARN_XS: `${limits.chunks} ${limits.slots}` }) };
  const { stdout, stderr } = spawnSync(program, [argument], { encoding: "utf8", env });
  const lines = stdout.split("\n"); // XS's own remarks between them
  const rest = lines.find((line) => line.startsWith("{"));
  const outcome = lines.find((line) => OUTCOME.test(line)) ?? stderr.trim();
  return { rest: rest && JSON.parse(rest), outcome };
}

/** The least chunks and slots with which it connects, less what was in use before. */
async function findLeast(program, port, ca) {
  const { rest } = connect(program, port, ca);
  const least = {};
  for (const what of ["chunks", "slots"]) {
    const fails = (n) => connect(program, port, ca, { ...MOST, [what]: n }).outcome !== "connected";
    least[what] = (await largest(MOST[what], fails)) + 1 - rest[what];
  }
  return least;
}

/** `ports`: six that are free. */
export async function checkTls(program, place, ports) {
  if (spawnSync("openssl", ["version"]).error) throw new Error("test:mqtt: no openssl on PATH");
  const [ours, theirs] = [new Authority(place, "ours"), new Authority(place, "theirs")];
  const [plain, good, host, stranger, old, forged] = ports;
  const broker = new Mosquitto(join(place, "tls.conf"), [
    "allow_anonymous true",
    `listener ${plain}`,
    ...ours.broker("good", good),
    ...ours.broker("host", host, { names: "DNS:otherhost" }),
    ...theirs.broker("stranger", stranger),
    ...ours.broker("old", old, { dates: ["-days", "-1"] }),
    ...theirs.broker("forged", forged, { after: ours }),
  ]);
  await broker.start();
  const outcome = (port) => connect(program, port, ours.file("crt")).outcome;
  check("tls: it connects", outcome(good) === "connected", outcome(good));
  const der = connect(program, good, ours.der).outcome;
  check("tls: it connects by a certificate in DER", der === "connected", der);
  for (const [port, why] of [
    [host, "is for another host"],
    [stranger, "isn't signed by the given authority"],
    [old, "isn't valid at this time"],
    [forged, "isn't signed by the given authority"],
  ]) {
    const found = outcome(port);
    check(`tls: refused: ${why}`, found === `TLS: the broker's certificate ${why}`, found);
  }
  const strange = connect(program, good, broker.file).outcome;
  check(
    "tls: a file without a certificate is refused",
    /ca: takes the file of a cert/.test(strange),
    strange,
  );
  const unencrypted = outcome(plain);
  check("tls: a broker without TLS is refused", unencrypted === "it doesn't connect", unencrypted);
  const without = await findLeast(program, plain);
  const least = await findLeast(program, good, ours.der);
  console.log(
    `tls: ${least.chunks} bytes of chunks and ${least.slots} slots to connect, without it ${without.chunks} and ${without.slots}`,
  );
  await broker.close();
}
