import { test } from "uvu";
import * as assert from "uvu/assert";
import { PACKET_MAX, PacketPort } from "../../src/node/packet-port.ts";

/** A frame of so many bytes with its delimiters. */
function frame(bytes: number, value = bytes): Uint8Array {
  const made = new Uint8Array(bytes).fill(value);
  made[0] = made[bytes - 1] = 0;
  return made;
}

function joined(...parts: readonly Uint8Array[]): Uint8Array {
  return Uint8Array.from(parts.flatMap((part) => [...part]));
}

test("packets hold whole frames, however the bytes are cut into writes", () => {
  const frames = [12, 40, 128, 7, 33].map((bytes) => frame(bytes));
  const stream = joined(...frames);
  for (const step of [1, 5, 64, stream.length]) {
    const packets: Uint8Array[] = [];
    const port = new PacketPort((packet, bytes) => packets.push(packet.slice(0, bytes)) > 0);
    for (let from = 0; from < stream.length; from += step) {
      const to = Math.min(from + step, stream.length);
      assert.is(port.write(stream, from, to), to - from);
    }
    assert.equal(joined(...packets), stream);
    for (const packet of packets) {
      assert.is(packet[0], 0);
      assert.is(packet[packet.length - 1], 0);
      assert.ok(frames.some((whole) => whole[1] === packet[1]));
    }
    if (step === stream.length) assert.is(packets.length, 1);
    if (step === 1) assert.is(packets.length, frames.length);
  }
});

test("a transport that takes no packet loses nothing: the port takes what it has room for and sends the rest later", () => {
  let open = false;
  const packets: Uint8Array[] = [];
  const port = new PacketPort((packet, bytes) => open && packets.push(packet.slice(0, bytes)) > 0);
  const stream = joined(...Array.from({ length: 20 }, (_, i) => frame(100, i + 1)));
  let taken = port.write(stream, 0, stream.length);
  assert.is(taken, PACKET_MAX);
  assert.is(port.write(stream, taken, stream.length), 0);
  open = true;
  while (taken < stream.length) taken += port.write(stream, taken, stream.length);
  assert.equal(joined(...packets), stream);
});

test("a packet that has no room is dropped whole and counted", () => {
  const port = new PacketPort(() => true, 100);
  assert.is(port.arrive(frame(60, 1)), true);
  assert.is(port.arrive(frame(60, 2)), false);
  assert.is(port.overrun, 1);
  const to = new Uint8Array(128);
  assert.is(port.read(to), 60);
  assert.is(to[1], 1);
  assert.is(port.arrive(frame(90, 3)), true); // over the ring's end
  assert.is(port.available, 90);
  assert.is(port.read(to.subarray(0, 50)), 50);
  assert.is(port.read(to.subarray(50)), 40);
  assert.equal(to.subarray(0, 90), frame(90, 3));
});

test("bytes without an end don't fill the port for good", () => {
  const packets: number[] = [];
  const port = new PacketPort((_, bytes) => packets.push(bytes) > 0);
  const noise = new Uint8Array(3 * PACKET_MAX).fill(7);
  assert.is(port.write(noise, 0, noise.length), noise.length);
  const good = frame(20);
  port.write(joined(Uint8Array.of(0), good), 0, 21);
  assert.ok(packets.length > 0);
});

test.run();
