import { test } from "uvu";
import * as assert from "uvu/assert";
import { CommitGroup } from "../../fleet/gateway/commit-group.ts";

/** Time that passes only here. */
class VirtualTime {
  now = 0;
  private readonly waiting: { readonly at: number; readonly act: () => void }[] = [];

  readonly after = (ms: number, act: () => void): void => {
    this.waiting.push({ at: this.now + ms, act });
  };

  runUntil(end: number): void {
    for (;;) {
      this.waiting.sort((a, b) => a.at - b.at);
      if (!(this.waiting[0]?.at <= end)) return;
      const [{ at, act }] = this.waiting.splice(0, 1);
      this.now = Math.max(this.now, at);
      act();
    }
  }
}

/** The sizes of the groups that so many labellers make in that time, if each sends again after `thinkMs`. */
function simulateGroups(labellers: number, diskMs: number, thinkMs: number, ms: number): number[] {
  const time = new VirtualTime();
  const sizes: number[] = [];
  let waiting = 0;
  const group: CommitGroup = new CommitGroup({
    after: time.after,
    diskMs: () => diskMs,
    commit: () => {
      time.now += diskMs;
      sizes.push(waiting);
      for (let i = 0; i < waiting; i++) time.after(thinkMs + i / 100, give);
      waiting = 0;
      group.committed();
    },
  });
  const give = () => {
    waiting++;
    group.join();
  };
  for (let i = 0; i < labellers; i++) time.after(i / 100, give);
  time.runUntil(ms);
  return sizes;
}

test("once all labellers of the last group wait again, their labels are committed without a further wait", () => {
  const sizes = simulateGroups(128, 80, 5, 10_000);
  // 80 ms until all wait, then 80 ms for the disk; a fixed wait of 4 times the disk's gave 25 groups.
  assert.ok(sizes.length >= 10_000 / 175, `${sizes.length} groups`);
  assert.is(Math.min(...sizes), 128);
});

test("labellers who come one by one share a transaction while the disk is slow", () => {
  const time = new VirtualTime();
  const sizes: number[] = [];
  let waiting = 0;
  const group: CommitGroup = new CommitGroup({
    after: time.after,
    diskMs: () => 50,
    commit: () => {
      sizes.push(waiting);
      waiting = 0;
      group.committed();
    },
  });
  const give = (count: number) => {
    for (let i = 0; i < count; i++) {
      waiting++;
      group.join();
    }
  };
  give(8);
  time.runUntil(50);
  assert.equal(sizes, [8]);
  give(1);
  time.runUntil(249);
  assert.equal(sizes, [8], "seven more may come, until the disk's share is reached");
  time.runUntil(250);
  assert.equal(sizes, [8, 1]);
  give(1);
  time.runUntil(300);
  assert.equal(sizes, [8, 1, 1], "as many as in the last group");
});

test("a commit for another reason takes the group with it", () => {
  const time = new VirtualTime();
  let commits = 0;
  const group: CommitGroup = new CommitGroup({
    after: time.after,
    diskMs: () => 0,
    commit: () => {
      commits++;
      group.committed();
    },
  });
  group.join();
  group.committed();
  time.runUntil(1000);
  assert.is(commits, 0);
  group.join();
  time.runUntil(2000);
  assert.is(commits, 1);
});

test.run();
