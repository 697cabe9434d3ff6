import { test } from "uvu";
import * as assert from "uvu/assert";
import { Random } from "../../host/random.ts";
import type { UpdateSender } from "../../src/peer/update.ts";
import { TRIAL_MS } from "../../src/start/trial.ts";
import { IMAGE_STATUS } from "../../src/store/paged-image.ts";
import { EmulatedBoard, image, KIND, rightSelfTest, SLOT_SECTORS } from "./emulated-board.ts";

const FIRST = image(KIND.good, 1);
const SELF_TEST = rightSelfTest();

/** Sends the image, has the board start with it, and waits until it keeps its firmware or restores the previous one. */
function update(board: EmulatedBoard, bytes: Uint8Array, seconds = 60): UpdateSender {
  const sender = board.send(bytes, SELF_TEST);
  assert.ok(
    board.until(() => sender.progress?.status === IMAGE_STATUS.whole, seconds),
    "all of it came",
  );
  sender.activate();
  const { starts } = board;
  assert.ok(
    board.until(() => board.starts > starts, seconds),
    "the board starts again",
  );
  board.peer.update = undefined;
  return sender;
}

test("good firmware is sent, starts, is welcomed and stays, and resumes from the checkpoint", () => {
  const board = new EmulatedBoard(FIRST);
  assert.ok(board.until(() => board.peer.node.seq > 3, 5));
  assert.is(board.version, 1);
  board.peer.request("checkpoint");
  board.until(() => false, 1);
  update(board, image(KIND.good, 2));
  assert.ok(board.until(() => board.version === 2 && board.settled, 5));
  assert.is(board.restored, "restored");
  update(board, image(KIND.good, 3, 100));
  assert.ok(
    board.until(() => board.version === 3 && board.settled, 5),
    "into the slot of the first",
  );
});

test("over a keyed line, too, the image comes whole and takes over", () => {
  const key = Uint8Array.from({ length: 16 }, (_, i) => 17 * i);
  const board = new EmulatedBoard(FIRST, new Random(1, "keyed"), 0, undefined, key);
  assert.ok(board.until(() => board.peer.node.seq > 3, 5));
  update(board, image(KIND.good, 2));
  assert.ok(board.until(() => board.version === 2 && board.settled, 5));
});

test("what runs already is not sent again", () => {
  const board = new EmulatedBoard(FIRST);
  const bytes = image(KIND.good, 2);
  update(board, bytes);
  board.until(() => board.version === 2 && board.settled, 5);
  const again = board.send(bytes, SELF_TEST);
  assert.ok(board.until(() => again.isDone, 5));
  assert.is(again.progress?.status, IMAGE_STATUS.runs);
});

test("before any of it is sent, the node reports the room and its checkpoint's schema", () => {
  const board = new EmulatedBoard(FIRST);
  const sender = board.send(image(KIND.good, 2), SELF_TEST);
  assert.ok(board.until(() => sender.progress !== undefined, 5));
  assert.is(sender.progress?.room, 4 * 4096);
  assert.match(sender.progress?.schema ?? "", /^(?!0{16})[0-9a-f]{16}$/);
  const long = board.send(image(KIND.good, 2, 4 * 4096 + 1), SELF_TEST);
  assert.ok(board.until(() => long.progress?.status === IMAGE_STATUS.tooLong, 5));
});

test("firmware whose self-test comes to other bits falls back at once", () => {
  const board = new EmulatedBoard(FIRST);
  board.until(() => board.peer.met, 5);
  update(board, image(KIND.wrongBits, 2));
  assert.ok(board.until(() => board.version === 1 && board.settled, 5));
  assert.ok(board.starts >= 3);
});

test("firmware whose hello nobody welcomes falls back when its trial is over", () => {
  const board = new EmulatedBoard(FIRST);
  board.until(() => board.peer.met, 5);
  update(board, image(KIND.mute, 2));
  assert.not(board.until(() => board.version === 1, TRIAL_MS / 1000 - 5));
  assert.ok(board.until(() => board.version === 1 && board.settled, 10));
});

test("firmware that crashes before its hello falls back at the next start", () => {
  const board = new EmulatedBoard(FIRST);
  board.until(() => board.peer.met, 5);
  update(board, image(KIND.crashes, 2));
  assert.ok(board.until(() => board.version === 1 && board.settled, 5));
});

test("a host that comes later resumes where the one before stopped", () => {
  const board = new EmulatedBoard(FIRST);
  const bytes = image(KIND.good, 2);
  const first = board.send(bytes, SELF_TEST);
  assert.ok(board.until(() => first.progress?.status === IMAGE_STATUS.coming, 15));
  board.until(() => false, 3);
  board.peer.update = undefined;
  board.until(() => false, 1);
  const second = board.send(bytes, SELF_TEST);
  assert.ok(board.until(() => second.progress !== undefined, 5));
  assert.ok((second.progress?.received ?? 0) > 4000, `${second.progress?.received} bytes are there`);
  assert.ok(board.until(() => second.progress?.status === IMAGE_STATUS.whole, 30));
});

/** An hour in which a peer does its worst each second, without a key; then how often each sector was erased. */
function attacked(worst: (board: EmulatedBoard, second: number) => void): Uint32Array {
  const board = new EmulatedBoard(FIRST);
  assert.ok(board.until(() => board.peer.met, 5));
  for (let second = 0; second < 3600; second++) {
    worst(board, second);
    board.until(() => false, 1);
  }
  return Uint32Array.from(board.flash.erases);
}

/** Sectors of the slots of firmware, and of the record of the one that starts. */
const FIRMWARE = 2 + 2 * SLOT_SECTORS;

test("a peer that begins other firmware each second has each sector erased once in ten minutes", () => {
  const worst = Math.max(
    ...attacked((board, second) => board.send(image(KIND.good, second), 0)).subarray(0, FIRMWARE),
  );
  assert.ok(worst >= 6 && worst <= 7, `${worst} erases`);
});

test("a peer that begins the same firmware again and again, with others and impossible ones between, wears no sector faster", () => {
  const [good, other, long] = [image(KIND.good, 2), image(KIND.good, 3), image(KIND.good, 4, 5 * 4096)];
  const erases = attacked((board, second) => board.send([good, other, good, long][second % 4], 0));
  const worst = Math.max(...erases.subarray(0, FIRMWARE));
  assert.ok(worst >= 1 && worst <= 7, `${worst} erases`);
});

test("a peer that begins and activates firmware again and again can't put off the start with it, nor wear the record of what starts", () => {
  const board = new EmulatedBoard(FIRST);
  const bytes = image(KIND.good, 2);
  const sender = board.send(bytes, SELF_TEST);
  assert.ok(board.until(() => sender.progress?.status === IMAGE_STATUS.whole, 60));
  const { progress, starts, slots } = { progress: sender.progress, starts: board.starts, slots: board.slots };
  let activations = 0;
  const activate = slots.activate.bind(slots);
  slots.activate = () => {
    activations++;
    return activate();
  };
  for (let turn = 0; board.starts === starts; turn++) {
    assert.ok(turn < 30, "it starts within 3 s");
    sender.progress = progress; // it doesn't care what the node answers
    sender.activate();
    board.peer.update = sender;
    if (turn % 3 > 0) board.send(turn % 3 === 1 ? image(KIND.good, 4, 5 * 4096) : bytes, SELF_TEST);
    board.until(() => false, 0.1);
  }
  assert.is(activations, 1);
});

test("over a line that spoils a tenth of its frames, the image comes whole, without an overrun", () => {
  const board = new EmulatedBoard(FIRST, new Random(5, "line"), 0.1);
  board.until(() => board.peer.met, 5);
  update(board, image(KIND.good, 2), 120);
  assert.ok(board.until(() => board.version === 2 && board.settled, 20));
});

test.run();
