import { connect, type NatsConnection } from "@nats-io/transport-node";

/** The environment variable with the password at the servers. */
const NATS_PASSWORD_VARIABLE = "MOTELEARN_NATS_PASSWORD";
const CONNECT_MS = 10_000;

/** Connects to one of the servers, and to another whenever that one fails. */
export function connectNats(servers: readonly string[], user?: string): Promise<NatsConnection> {
  return connect({
    servers: [...servers],
    name: "motelearn",
    timeout: CONNECT_MS,
    maxReconnectAttempts: -1,
    reconnectTimeWait: 500,
    pingInterval: 5000,
    ...(user !== undefined && { user, pass: process.env[NATS_PASSWORD_VARIABLE] ?? "" }),
  });
}
