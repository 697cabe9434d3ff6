// A mosquitto on this machine, and the authorities that sign its certificates. Takes mosquitto and openssl on PATH.
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { hostname } from "node:os";
import { join } from "node:path";

/** This machine by its name: the SDK takes an IPv6 address for localhost, and old Mbed TLS compares no addresses. */
export const HOST = hostname();
const DAYS = ["-days", "3650"];
const NEW_KEY = "req -newkey rsa:2048 -nodes";

/** An authority; with `DAYS` and a name in each of its certificates. */
export class Authority {
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
  broker(name, port, { names = `DNS:${HOST}`, dates = DAYS, after = this } = {}) {
    const of = (extension) => this.file(extension, name);
    this.openssl(NEW_KEY, "-subj", `/CN=${name}`, "-keyout", of("key"), "-out", of("csr"));
    writeFileSync(of("ext"), `subjectAltName=${names}\nauthorityKeyIdentifier=keyid\n`);
    const signing = ["-CA", this.file("crt"), "-CAkey", this.file("key"), "-extfile", of("ext")];
    const signed = this.openssl("x509 -req -CAcreateserial", "-in", of("csr"), ...signing, ...dates);
    writeFileSync(of("pem"), signed + this.openssl("x509", "-in", after.file("crt")));
    return [`listener ${port}`, `certfile ${of("pem")}`, `keyfile ${of("key")}`];
  }
}

export async function freePort() {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address();
  server.close();
  return port;
}

/** A mosquitto, and its log since it started last. */
export class Mosquitto {
  log = "";

  /** Writes its file, with these lines. */
  constructor(file, lines) {
    this.file = file;
    writeFileSync(file, ["user root", ...lines, ""].join("\n"));
    process.on("exit", () => this.child?.kill("SIGKILL"));
  }

  /** Resolves once it listens. */
  async start() {
    const child = spawn("mosquitto", ["-c", this.file]);
    this.child = child;
    this.log = "";
    child.stderr.on("data", (text) => {
      this.log += text;
    });
    while (!/running/.test(this.log)) await once(child.stderr, "data");
  }

  async close() {
    this.child.kill("SIGKILL");
    await once(this.child, "exit");
  }
}
