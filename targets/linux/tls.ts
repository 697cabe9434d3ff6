/** One connection to a broker by the SDK's TLS 1.2, to measure and to judge it. No node has it: it takes forged certificates. */
/// <reference path="./tls.d.ts" />
import TCP from "embedded:io/socket/tcp";
import TLSSocket from "embedded:io/socket/tcp/tls";
import { openClient, TCP_SOCKET } from "../moddable/mqtt-client.ts";
import type { BrokerAddress } from "../moddable/mqtt-line.ts";
import type { LinuxHost } from "./host.ts";

export interface TlsArgument {
  readonly run: "tls";
  readonly broker: BrokerAddress;
  /** The file of the certificate of its authority, DER; without it: no TLS. */
  readonly ca?: string;
}

function tlsSocket(certificate: Uint8Array) {
  return { io: TLSSocket, nodelay: true, TCP: { io: TCP }, secure: { certificate } };
}

/**
 * Prints the slots and bytes of chunks in use before it connects; then `connected` once the broker has accepted
 * the client, or `refused`.
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
    onError: () => end("refused"),
  };
  const socket = ca === undefined ? TCP_SOCKET : tlsSocket(new Uint8Array(host.bytes(ca)));
  host.collect();
  host.print(JSON.stringify({ slots: host.slots(), chunks: host.chunks() }));
  host.stay(true);
  openClient(options, socket);
}
