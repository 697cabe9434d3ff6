/** One connection to a broker, to judge a node's TLS and to measure it. */
import { openClient, TCP_SOCKET } from "../moddable/mqtt-client.ts";
import type { BrokerAddress } from "../moddable/mqtt-line.ts";
import { tlsSocket } from "../moddable/tls-socket.ts";
import type { LinuxHost } from "./host.ts";

interface TlsArgument {
  readonly run: "tls";
  readonly broker: BrokerAddress;
  /** The file with the certificate of its authority; without it: no TLS. */
  readonly ca?: string;
}

/**
 * Prints the slots and bytes of chunks in use before it connects; then `connected` once the broker has accepted
 * the client, or why not.
 */
export function runTls(host: LinuxHost, { broker, ca }: TlsArgument): void {
  const end = (outcome: string) => {
    host.print(outcome);
    host.stay(false);
  };
  const options = {
    ...broker,
    id: "n1",
    clean: true,
    keepAlive: 10_000,
    will: { topic: "n1/status", message: "", QoS: 1, retain: true },
    onControl: () => end("connected"),
    onReadable: () => {},
    onWritable: () => {},
    onError: () => end("it doesn't connect"),
  };
  const socket = ca === undefined ? TCP_SOCKET : tlsSocket(new Uint8Array(host.bytes(ca)), true, end);
  host.collect();
  host.print(JSON.stringify({ slots: host.slots(), chunks: host.chunks() }));
  host.stay(true);
  openClient(options, socket);
}
