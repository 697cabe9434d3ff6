// The SDK's TLS in the program for x-cli-lin at mosquitto: the least memory of XS with which it connects, and
// which certificates it takes. It takes a forged one, so no node has it. Takes openssl on PATH.
import { execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { check, largest } from "../device/checks.mjs";

const HOST = "127.0.0.1";
const OTHER_HOST = "127.0.0.2";
/** Bytes of chunks and slots beyond what any connection takes. */
const MOST = { chunks: 32_000, slots: 8_000 };
const SLOT_BYTES = 16;
/** The share of XS in what the SDK's securesocket.md wants free: targets/boards.ts. */
const GUIDE_BYTES = 16 * 1024;
const DAYS = ["-days", "3650"];
const NEW_KEY = "req -newkey rsa:2048 -nodes";

/** An authority; with `DAYS` and a name in each of its certificates. */
class Authority {
  constructor(place, name) {
    this.place = place;
    this.name = name;
    const files = ["-keyout", this.file("key"), "-out", this.file("crt")];
    const form = ["-x509", "-addext", "authorityKeyIdentifier=keyid:always"];
    this.openssl(NEW_KEY, "-subj", `/CN=${name}`, ...DAYS, ...files, ...form);
    this.der = this.file("der");
    this.openssl("x509 -outform der", "-in", this.file("crt"), "-out", this.der);
  }

  file(extension, of = this.name) {
    return join(this.place, `${of}.${extension}`);
  }

  /** @param command words that have no path. */
  openssl(command, ...args) {
    return execFileSync("openssl", [...command.split(" "), ...args], {
      cwd: this.place,
      encoding: "utf8",
      stdio: "pipe",
    });
  }

  /** The lines for mosquitto.conf of a broker with a certificate of that name, and with another authority's after it if wanted. */
  broker(name, port, { host = HOST, dates = DAYS, after = this } = {}) {
    const of = (extension) => this.file(extension, name);
    this.openssl(NEW_KEY, "-subj", `/CN=${name}`, "-keyout", of("key"), "-out", of("csr"));
    writeFileSync(of("ext"), `subjectAltName=IP:${host}\nauthorityKeyIdentifier=keyid\n`);
    const signing = ["-CA", this.file("crt"), "-CAkey", this.file("key"), "-extfile", of("ext")];
    const signed = this.openssl("x509 -req -CAcreateserial", "-in", of("csr"), ...signing, ...dates);
    writeFileSync(of("pem"), signed + this.openssl("x509", "-in", after.file("crt")));
    return [`listener ${port} ${HOST}`, `certfile ${of("pem")}`, `keyfile ${of("key")}`];
  }
}

/** How the program's connection ends: `connected`, or its last line; and what was in use before. */
function connect(program, port, ca, limits) {
  const argument = JSON.stringify({ run: "tls", broker: { host: HOST, port }, ca });
  const env = { ...process.env, ...(limits && { MOTELEARN_XS: `${limits.chunks} ${limits.slots}` }) };
  const { stdout, stderr } = spawnSync(program, [argument], { encoding: "utf8", env });
  const lines = stdout.split("\n"); // XS's own remarks between them
  const rest = lines.find((line) => line.startsWith("{"));
  const outcome = lines.includes("connected") ? "connected" : stderr.trim();
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
  const file = join(place, "tls.conf");
  const lines = [
    "allow_anonymous true",
    "user root",
    `listener ${plain} ${HOST}`,
    ...ours.broker("good", good),
    ...ours.broker("host", host, { host: OTHER_HOST }),
    ...theirs.broker("stranger", stranger),
    ...ours.broker("old", old, { dates: ["-days", "-1"] }),
    ...theirs.broker("forged", forged, { after: ours }),
  ];
  writeFileSync(file, `${lines.join("\n")}\n`);
  const broker = spawn("mosquitto", ["-c", file]);
  process.on("exit", () => broker.kill("SIGKILL"));
  for await (const line of broker.stderr) if (/running/.test(line)) break;
  const outcome = (port) => connect(program, port, ours.der).outcome;
  check("tls: it connects", outcome(good) === "connected", outcome(good));
  for (const [what, port] of [
    ["another host's name", host],
    ["another authority", stranger],
    ["expired", old],
  ])
    check(
      `tls: ${what} is refused`,
      /^program: .*(auth err|date validation)/.test(outcome(port)),
      outcome(port),
    );
  // The SDK's verify (modules/crypt/ssl/ssl_cert.js) continues with the next certificate where a signature is wrong.
  check(
    "tls: a forged certificate with the authority's own after it is taken: still no option",
    outcome(forged) === "connected",
    outcome(forged),
  );
  const without = await findLeast(program, plain);
  const least = await findLeast(program, good, ours.der);
  const bytes = least.chunks + SLOT_BYTES * least.slots;
  check("tls: takes less than the SDK says", bytes < GUIDE_BYTES, least);
  console.log(
    `tls: ${least.chunks} bytes of chunks and ${least.slots} slots to connect, without it ${without.chunks} and ${without.slots}`,
  );
  broker.kill("SIGKILL");
  await once(broker, "exit");
}
