import { readFileSync } from "node:fs";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { withTables } from "../../dev/spec-tables.ts";
import { Crc32 } from "../../src/math/crc32.ts";
import { stuff, unstuff } from "../../src/wire/cobs.ts";
import { Encoder, putText } from "../../src/wire/encoder.ts";
import { type Fields, FORMATS, nodeRecords, records } from "../../src/wire/format.ts";
import { chooseFrames } from "../../src/wire/frame-bytes.ts";
import {
  CRASHES,
  FIELD_BYTES,
  FRAME_MAX,
  FRAME_MIN,
  FRAME_OVERHEAD,
  fixedBytes,
  ID_MAX,
  idSeed,
  isRest,
  MESSAGES,
  type MessageDefinition,
  type MessageName,
  messageNames,
  RESET_REASONS,
  restMax,
  seedsById,
} from "../../src/wire/messages.ts";
import { Receiver, readText } from "../../src/wire/receiver.ts";
import * as fc from "../properties.ts";

const NAMES = Object.keys(MESSAGES) as MessageName[];

type Record = { [field: string]: number | Uint8Array | Float32Array | Uint32Array };

const INTEGER_MAX = { u8: 0xff, u16: 0xffff, u32: 0xffffffff };

/** Any record of a message: every field within its type, the rest of any length that fits. */
function anyRecord(name: MessageName): fc.Arbitrary<Record> {
  const definition: MessageDefinition = MESSAGES[name];
  const length = restMax(definition);
  const fields: { [field: string]: fc.Arbitrary<Record[string]> } = {};
  for (const [field, { type }] of Object.entries(definition.fields)) {
    if (type === "f32") fields[field] = fc.float({ noNaN: true });
    else if (type === "text16") fields[field] = printable(16).map((text) => filledUp(text, 16));
    else if (type === "f32s") fields[field] = fc.float32Array({ maxLength: length, noNaN: true });
    else if (type === "u32s") fields[field] = fc.uint32Array({ maxLength: length });
    else if (type === "bytes") fields[field] = printable(length);
    else if (type === "u8s") fields[field] = fc.uint8Array({ maxLength: length });
    else fields[field] = fc.integer({ min: 0, max: INTEGER_MAX[type] });
  }
  return fc.record(fields, { noNullPrototype: true });
}

function printable(maxLength: number): fc.Arbitrary<Uint8Array> {
  return fc.uint8Array({ maxLength, min: 0x20, max: 0x7e });
}

function filledUp(text: Uint8Array, length: number): Uint8Array {
  const filled = new Uint8Array(length);
  filled.set(text);
  return filled;
}

function fill(to: Record, from: Record): void {
  for (const [field, value] of Object.entries(from)) {
    if (typeof value === "number") to[field] = value;
    else {
      (to[field] as Uint8Array).set(value);
      to.length = value.length;
    }
  }
}

function contents(name: MessageName, record: Record): Record {
  const found: Record = {};
  for (const [field, { type }] of Object.entries((MESSAGES[name] as MessageDefinition).fields)) {
    const value = record[field];
    found[field] =
      typeof value === "number"
        ? value
        : value.slice(0, isRest(type) ? (record.length as number) : undefined);
  }
  return found;
}

function receive<N extends MessageName>(receiver: Receiver<N>, bytes: Uint8Array): N[] {
  const names: N[] = [];
  for (const byte of bytes) {
    const name = receiver.take(byte);
    if (name) names.push(name);
  }
  return names;
}

test("CRC-32 of the check string is the published one, and another seed gives another", () => {
  const bytes = new Uint8Array(9);
  putText(bytes, "123456789");
  const crc = new Crc32();
  assert.is(crc.crc32(bytes, 0, 9, 0), 0xcbf43926);
  assert.is(crc.crc32(bytes, 4, 9, crc.crc32(bytes, 0, 4, 0)), 0xcbf43926);
  assert.is.not(crc.crc32(bytes, 0, 9, 1), 0xcbf43926);
});

test("stuffed bytes hold no zero, are one byte more, and come back", () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom(0, 1, 2, 255), { maxLength: 253 }), (options) => {
      const bytes = new Uint8Array([99, 0, ...options, 99]);
      stuff(bytes, 1, options.length + 2);
      assert.not.ok(bytes.subarray(1, options.length + 2).includes(0));
      assert.ok(unstuff(bytes, 1, options.length + 2));
      assert.equal([...bytes.subarray(2, options.length + 2)], options);
      assert.is(bytes[0], 99);
      assert.is(bytes[options.length + 2], 99);
    }),
  );
});

test("bytes that stuffing can't have written are refused: none, a zero, a code that points behind the end", () => {
  const undone = (...bytes: number[]) => unstuff(Uint8Array.from([7, ...bytes, 1, 1]), 1, bytes.length + 1);
  assert.ok(undone(1));
  assert.ok(undone(2, 9));
  for (const bad of [[], [0], [1, 0, 1], [2, 9, 0], [3, 9], [1, 2], [4, 9, 9]]) {
    assert.not.ok(undone(...bad), String(bad));
  }
});

for (const name of NAMES) {
  test(`${name}: what is encoded is decoded, in a frame of at most 128 bytes`, () => {
    const encoder = new Encoder([name]);
    const receiver = new Receiver([name]);
    fc.assert(
      fc.property(anyRecord(name), (record) => {
        fill(encoder.message(name) as Record, record);
        const bytes = encoder.encode(name);
        assert.ok(bytes <= FRAME_MAX);
        assert.equal(receive(receiver, encoder.frame.subarray(0, bytes)), [name]);
        assert.equal(contents(name, receiver.message(name) as Record), record);
        assert.is(receiver.thrown.bytes, 0);
      }),
    );
  });
}

test("the table is sound: ids are unique, every message fits, only the last field is a rest", () => {
  const ids = NAMES.map((name) => MESSAGES[name].id);
  assert.is(new Set(ids).size, ids.length);
  assert.is(Math.max(...ids), ID_MAX);
  assert.is(new Set(seedsById()).size, NAMES.length + 1, "all seeds differ");
  for (const name of NAMES) {
    const definition: MessageDefinition = MESSAGES[name];
    assert.ok(FRAME_OVERHEAD + fixedBytes(definition) <= FRAME_MIN, name);
    const types = Object.values(definition.fields).map(({ type }) => type);
    assert.not.ok(types.slice(0, -1).some(isRest), name);
    assert.not.ok("length" in definition.fields && types.some(isRest), name);
  }
});

test("the messages that every version understands begin as they always did", () => {
  const lasting = NAMES.flatMap((name) => {
    const { id, fields, lasting = -1 } = MESSAGES[name] as MessageDefinition;
    let at = 0;
    const first = Object.entries(fields).filter(([, { type }]) => {
      at += isRest(type) ? 0 : FIELD_BYTES[type];
      return at <= lasting;
    });
    return first.length > 0 ? `${id} ${name} ${first.map(([field, { type }]) => `${field}:${type}`)}` : [];
  });
  assert.equal(lasting, [
    "1 hello protocol:u8,restore:u8,reset:u8,fed:u8,boot:u32,sid:u32,seq:u32,labelled:u32,durable:u32,since:u32," +
      "channels:u16,dimension:u16,plan:u32,selfTest:u32,table:u32,firmware:text16,learner:text16",
    "2 welcome boot:u32,peer:u32,table:u32,sent:u32",
    "3 request what:u8",
    "4 schema first:u16,total:u16,seeds:u32s",
  ]);
});

/** A frame of that message, its fields cut or lengthened to so many bytes. */
function resized(name: MessageName, fields: number): Uint8Array {
  const encoder = new Encoder([name]);
  const record = encoder.message(name) as Record;
  Object.assign(record, { protocol: 1, boot: 7 });
  const bytes = encoder.encode(name);
  const frame = new Uint8Array(FRAME_MAX);
  frame.set(encoder.frame.subarray(0, bytes));
  unstuff(frame, 1, bytes - 1);
  frame.fill(9, bytes - 5);
  const end = 3 + fields;
  new DataView(frame.buffer).setUint32(
    end,
    new Crc32().crc32(frame, 2, end, idSeed(name, MESSAGES[name])),
    true,
  );
  stuff(frame, 1, end + 4);
  frame[0] = frame[end + 4] = 0;
  return frame.subarray(0, end + 5);
}

test("a lasting message of an earlier or a later version is understood as far as it goes", () => {
  const receiver = new Receiver(["hello", "label"]);
  const fixed = fixedBytes(MESSAGES.hello);
  for (const bytes of [fixed, 76, 81, fixed + 9]) {
    receiver.message("hello").labelWindow = 99;
    assert.equal(receive(receiver, resized("hello", bytes)), ["hello"], `${bytes} bytes`);
    const { protocol, boot, labelWindow } = receiver.message("hello");
    assert.equal([protocol, boot, labelWindow], [1, 7, 0]);
  }
  for (const bytes of [75, 78, fixed - 1]) {
    assert.equal(receive(receiver, resized("hello", bytes)), [], `${bytes} bytes end within a field`);
  }
  assert.equal(
    receive(receiver, resized("label", fixedBytes(MESSAGES.label) + 1)),
    [],
    "label is this version's",
  );
  assert.is(receiver.thrown.wrongLength, 4);
});

test("a frame whose text has a control character is discarded", () => {
  const encoder = new Encoder(["hello", "log"]);
  const receiver = new Receiver(["hello", "log"]);
  const taken = (name: "hello" | "log") => {
    return receive(receiver, encoder.frame.subarray(0, encoder.encode(name))).length === 1;
  };
  const log = encoder.message("log");
  const hello = encoder.message("hello");
  log.length = 3;
  for (let code = 0; code < 256; code++) {
    const printable = code >= 0x20 && code <= 0x7e;
    log.text.set([65, code, 66]);
    hello.firmware.set([65, code, 66]);
    assert.is(taken("log"), printable, `log ${code}`);
    assert.is(taken("hello"), printable, `hello ${code}`);
  }
  assert.is(receiver.thrown.text, 2 * (256 - 95));
  hello.firmware.fill(0).set([65, 66]);
  assert.ok(taken("hello"), "zeros fill a text up");
});

test("a message whose fields have other names, types or order fails its check sum", () => {
  const field = (type: "u8" | "u16") => ({ type, doc: "" });
  const seed = (fields: MessageDefinition["fields"]) => idSeed("m", { id: 9, way: "up", doc: "", fields });
  const seeds = [
    seed({ a: field("u8"), b: field("u8") }),
    seed({ b: field("u8"), a: field("u8") }),
    seed({ a: field("u16") }),
    seed({ a: field("u8"), c: field("u8") }),
  ];
  assert.is(new Set(seeds).size, seeds.length);
  const encoder = new Encoder(["label"]);
  const receiver = new Receiver(["label"]);
  const bytes = encoder.encode("label");
  const { frame } = encoder;
  unstuff(frame, 1, bytes - 1);
  const end = bytes - 5;
  new DataView(frame.buffer).setUint32(end, new Crc32().crc32(frame, 2, end, seeds[0]), true);
  stuff(frame, 1, bytes - 1);
  assert.equal(receive(receiver, frame.subarray(0, bytes)), []);
  assert.is(receiver.thrown.crc, 1);
});

test("a frame is discarded for its length below 6 and above 126 stuffed bytes, else for the first fault in it", () => {
  const receiver = new Receiver(["request"]);
  const thrown = (bytes: number) => {
    const before = { ...receiver.thrown };
    const frame = new Uint8Array(bytes + 1).fill(1, 0, bytes);
    frame[0] = bytes;
    frame[1] = 3;
    assert.equal(receive(receiver, frame), []);
    const reasons = Object.entries(receiver.thrown).filter(
      ([reason, count]) => count !== before[reason as keyof typeof before],
    );
    assert.is(receiver.thrown.bytes, before.bytes + bytes);
    return reasons.map(([reason]) => reason).filter((reason) => reason !== "bytes");
  };
  assert.equal([2, 5, 6, 7, 126, 127, 300].flatMap(thrown), [
    "wrongLength",
    "wrongLength",
    "crc",
    "crc",
    "crc",
    "wrongLength",
    "wrongLength",
  ]);
  assert.equal(receive(receiver, Uint8Array.of(0, 0, 0)), [], "nothing between delimiters is no frame");
  assert.is(receiver.thrown.wrongLength, 4);
});

test("texts are printable ASCII, cut to what fits", () => {
  const bytes = new Uint8Array(4);
  assert.is(putText(bytes, "näher"), 4);
  assert.is(readText(bytes), "n?he");
  putText(bytes, "\x1b\n\x7f~");
  assert.is(readText(bytes), "???~");
  assert.is(putText(bytes, "a"), 1);
  assert.is(readText(bytes), "a");
});

test("docs/spec/wire.md's tables equal messages.ts", () => {
  const spec = readFileSync("docs/spec/wire.md", "utf8");
  assert.is(withTables(spec), spec, "npm run build:spec");
});

/** The name of what lies at that place of a shared record, for a message's field of that name. */
function placed(shared: Fields, field: string, place: number): string {
  const numbers = shared.numbers as unknown as Uint32Array;
  if (typeof shared[field] !== "number" || Object.hasOwn(shared, field)) return Object.keys(shared)[place];
  numbers.fill(0);
  numbers[place] = 77;
  return shared[field] === 77 ? field : "another";
}

test("a node's messages lie in one record but for a few, to the same bytes, each of whose fields has its place there", () => {
  for (const way of ["up", "down"] as const) {
    const own = nodeRecords(way);
    const names: readonly MessageName[] = way === "up" ? messageNames("up") : messageNames("down");
    const apart = records(names);
    const frames = chooseFrames();
    const seen = new Set<unknown>();
    for (const name of names) {
      const format = FORMATS[name];
      const shared = own[name] === undefined;
      const record = own[name] ?? own.shared;
      seen.add(record);
      const places = [...format[way]].map((place) => place.charCodeAt(0));
      assert.equal(
        places.map((place, i) => placed(own.shared, format.names[i], place)),
        shared ? format.names : [],
        name,
      );
      const fill = (to: Fields) => {
        for (const [i, field] of format.names.entries()) {
          const value = to[field];
          if (typeof value === "number") to[field] = 200 - i;
          else value.fill(0x41 + i);
        }
        to.length = 3;
      };
      fill(record);
      fill(apart[name] as Fields);
      const [left, right] = [new Uint8Array(FRAME_MAX), new Uint8Array(FRAME_MAX)];
      assert.is(
        frames.pack(left, 3, format, record),
        frames.pack(right, 3, format, apart[name] as Fields),
        name,
      );
      assert.equal(left, right, name);
    }
    assert.is(seen.size, way === "up" ? 6 : 3);
  }
});

test("a crash is a panic, a watchdog's reset, a lock-up or a lack of memory", () => {
  assert.equal(
    CRASHES.map((code) => RESET_REASONS[code]),
    ["panic", "interrupt watchdog", "task watchdog", "other watchdog", "CPU lock-up", "out of memory"],
  );
});

test.run();
