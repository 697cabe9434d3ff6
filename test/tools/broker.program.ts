// The gateway's broker in a process of its own, for tests that kill it. Usage: node broker.program.js PORT
import { startBroker } from "../../fleet/gateway/broker.ts";

const { port } = await startBroker(Number(process.argv[2]));
process.stdout.write(`${port}\n`);
