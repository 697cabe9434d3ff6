// Sends firmware to a board over its wire, as a process: node update.mjs
// '{"port":ADDRESS,"node":OPTIONS,"name":TEXT,"expects":OPTIONS}'. The image begins with that name, and must
// give the self-test of a node with options `expects`. Prints the outcome as JSON.
import { Random } from "../../host/random.ts";
import { servedNodeOptions } from "../../targets/emulator/programs/served-options.ts";
import { sendFirmware } from "../../tools/session/send-firmware.ts";
import { Session } from "../../tools/session/session.ts";

const IMAGE_BYTES = 3000;
const { port, name, expects } = JSON.parse(process.argv[2]);

const random = new Random(1, name);
const image = Uint8Array.from({ length: IMAGE_BYTES }, () => random.below(256));
image.set(new TextEncoder().encode(`${name}\0`));

const said: string[] = [];
const session = await Session.open({ port, giveUp: 60 });
const before = await session.awaitHello();
try {
  await sendFirmware(
    session,
    { image, node: servedNodeOptions(expects), linksAll: true, fresh: true },
    (line) => said.push(line),
  );
} catch (error) {
  said.push((error as Error).message);
}
const { firmware, restore } = session.hello ?? before;
console.log(JSON.stringify({ before: before.firmware, firmware, restore, seq: session.hello?.seq, said }));
await session.close();
