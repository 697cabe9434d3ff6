// A plant's network on this machine, for an emulated board: a mosquitto whose certificate can change, and a time server.
import { createSocket } from "node:dgram";
import { once } from "node:events";
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Authority, freePort, Mosquitto } from "../linux/mosquitto.mjs";

/** This machine as an emulated board has it. */
const HOST = "10.0.2.2";
const NAMES = `IP:${HOST},IP:127.0.0.1`;
export const NAME = "plant/n1";
const NTP_PORT = 123;
const NTP_BYTES = 48;
/** A server's reply, version 4, from stratum 1; seconds since 1900 stand at 40. */
const [SERVER, STRATUM, SECONDS_AT] = [0x24, 1, 40];
const FROM_1900_TO_1970 = 2_208_988_800;

/** Says the time to who asks, as an SNTP server does; while `silent`, it only counts the questions. Rejects where this user may not. */
export async function startTimeServer() {
  const socket = createSocket("udp4");
  const server = { asked: 0, silent: false };
  socket.on("message", (_, { port, address }) => {
    server.asked++;
    if (server.silent) return;
    const reply = Buffer.alloc(NTP_BYTES);
    reply[0] = SERVER;
    reply[1] = STRATUM;
    reply.writeUInt32BE(Math.floor(Date.now() / 1000) + FROM_1900_TO_1970, SECONDS_AT);
    socket.send(reply, port, address);
  });
  const failed = once(socket, "error").then(([{ code }]) => {
    throw new Error(`UDP port ${NTP_PORT} of this machine: ${code}; the part tls binds it, as root may`);
  });
  socket.bind(NTP_PORT, "127.0.0.1");
  await Promise.race([once(socket, "listening"), failed]);
  failed.catch(() => {});
  server.close = () => new Promise((done) => socket.close(done));
  return server;
}

class Broker extends Mosquitto {
  /** How often the node has connected. */
  get connections() {
    return this.log.split(` as ${NAME} `).length - 1;
  }
}

/** Brokers by name, each with another certificate at the same port; and the network's files for `flash --wifi`. */
export class Plant {
  brokers = {};

  static async build(place) {
    mkdirSync(place, { recursive: true });
    const plant = new Plant();
    plant.place = place;
    plant.port = await freePort();
    plant.plainPort = await freePort();
    const [ours, theirs] = [new Authority(place, "ours"), new Authority(place, "theirs")];
    plant.ca = ours.file("crt");
    plant.der = ours.der;
    const names = NAMES;
    plant.add("good", ours, { names });
    plant.add("host", ours, { names: "DNS:otherhost" });
    plant.add("old", ours, { names, dates: ["-days", "-1"] });
    plant.add("stranger", theirs, { names });
    plant.add("forged", theirs, { names, after: ours });
    return plant;
  }

  file(name) {
    return join(this.place, name);
  }

  add(name, authority, options) {
    const plain = ["allow_anonymous true", `listener ${this.plainPort} 127.0.0.1`];
    const lines = [...plain, ...authority.broker(name, this.port, options)];
    this.brokers[name] = new Broker(this.file(`${name}.conf`), lines);
  }

  /** Resolves once the broker of that name listens. */
  async start(name) {
    await this.brokers[name].start();
    return this.brokers[name];
  }

  /** The file of a node's network, with TLS or without. */
  network(isEncrypted) {
    const encrypted = { broker: { host: HOST, port: this.port, ca: "ours.crt" }, time: HOST };
    const plain = { broker: { host: HOST, port: this.plainPort } };
    const file = this.file(isEncrypted ? "tls.json" : "plain.json");
    const network = { wifi: { ssid: "none" }, node: NAME, ...(isEncrypted ? encrypted : plain) };
    writeFileSync(file, JSON.stringify(network));
    chmodSync(file, 0o600);
    return file;
  }

  /** The node's wire, in the flags of the tool's commands. */
  wire(isEncrypted) {
    return isEncrypted
      ? ["--port", `mqtts://127.0.0.1:${this.port}/${NAME}`, "--ca", this.ca]
      : ["--port", `mqtt://127.0.0.1:${this.plainPort}/${NAME}`];
  }
}
