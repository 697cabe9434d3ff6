import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { Aedes } from "aedes";
import { DeviceError } from "../cli/exit.ts";

const CONNECTIONS_MAX = 20_000;
/** The broker deals with what a client sent at once by calls within calls: so many at most, lest the stack overflow. */
const CALLS_MAX = 32;

/** An MQTT broker in this process, for nodes on this machine. */
export interface Broker {
  readonly port: number;
  /** Clients that are connected. */
  readonly clients: number;
  close(): Promise<void>;
}

/** Listens on that TCP port of 127.0.0.1; 0: any that is free. Throws a DeviceError if it can't. */
export async function startBroker(port: number): Promise<Broker> {
  const aedes = await Aedes.createBroker();
  let calls = 0;
  aedes.published = (_packet, _client, done) => {
    if (++calls % CALLS_MAX === 0) setImmediate(done, null);
    else done(null);
  };
  const server = createServer({ noDelay: true }, aedes.handle);
  server.maxConnections = CONNECTIONS_MAX;
  server.listen(port, "127.0.0.1");
  try {
    await once(server, "listening");
  } catch (error) {
    aedes.close();
    throw new DeviceError(
      `broker: port ${port} can't be listened at (${(error as NodeJS.ErrnoException).code})`,
    );
  }
  const close = async () => {
    await new Promise<void>((done) => aedes.close(done));
    await new Promise((done) => server.close(done));
  };
  return {
    port: (server.address() as AddressInfo).port,
    get clients() {
      return aedes.connectedClients;
    },
    close,
  };
}
