import { WireFuzz } from "../../dev/fuzz-wire-frames.ts";
import type { Host } from "../../targets/emulator/programs/host.ts";

declare const host: Host;

/** For an XS machine: so many mutated frames; what the engine holds after all beyond what it held after a tenth. */
function main(): void {
  const { frames, seed } = JSON.parse(host.argument());
  const fuzz = new WireFuzz(seed);
  fuzz.run(frames / 10);
  host.collect();
  const slots = host.slots();
  const chunks = host.chunks();
  fuzz.run((frames * 9) / 10);
  host.collect();
  const slotsMore = host.slots() - slots;
  const chunksMore = host.chunks() - chunks;
  host.print(JSON.stringify({ sent: fuzz.sent, slotsMore, chunksMore }));
}

Object.assign(globalThis, { main });
