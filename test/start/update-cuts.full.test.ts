import { test } from "uvu";
import * as assert from "uvu/assert";
import { Random } from "../../host/random.ts";
import { IMAGE_STATUS } from "../../src/store/paged-image.ts";
import { CUT_KINDS } from "../store/emulated-flash.ts";
import { EmulatedBoard, image, KIND, rightSelfTest } from "./emulated-board.ts";

const FIRST = image(KIND.good, 1);
const SELF_TEST = rightSelfTest();

test("power cuts at random places of the flash: always firmware that runs, in the end the new, and the state continues", () => {
  let cuts = 0;
  for (let seed = 1; seed <= 105; seed++) {
    const random = new Random(seed, "cuts");
    let left = 12;
    const board = new EmulatedBoard(FIRST, random, seed % 2 === 0 ? 0.05 : 0, ({ flash }) => {
      if (left-- > 0) flash.cutAfter(random.below(30), CUT_KINDS[random.below(4)]);
    });
    let sender = board.send(image(KIND.good, 2), SELF_TEST);
    for (let tries = 0; board.version !== 2 || !board.settled; tries++) {
      assert.ok(tries < 40, `seed ${seed}: the new firmware never ran`);
      // A cut in its trial: it fell back, and is sent again.
      if (sender.isDone) sender = board.send(image(KIND.good, 2), SELF_TEST);
      board.until(() => sender.progress?.status === IMAGE_STATUS.whole, 20);
      sender.activate();
      board.until(() => board.version === 2 && board.settled, 3);
      assert.ok(board.version === 1 || board.version === 2, `seed ${seed}: version ${board.version} runs`);
    }
    board.peer.update = undefined;
    cuts += board.cuts;
    assert.ok(board.until(() => board.peer.node.seq > 0, 5));
  }
  assert.ok(cuts >= 800, `${cuts} cuts`);
});

test.run();
