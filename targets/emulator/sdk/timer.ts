import type { EventLoop, ProgramTimer } from "./event-loop.ts";

/** Made when the program starts: objects made earlier lie in flash, and can't change. */
declare const eventLoop: EventLoop;

/** `timer`. */
export default {
  set: (callback: (timer: ProgramTimer) => void, delay = 0, repeat = 0) =>
    eventLoop.add(callback, delay, repeat),
  repeat: (callback: (timer: ProgramTimer) => void, interval: number) =>
    eventLoop.add(callback, interval, interval),
  schedule(timer: ProgramTimer, delay = Number.POSITIVE_INFINITY, repeat = 0): void {
    timer.at = board.milliseconds() + delay;
    timer.repeat = repeat;
  },
  clear(timer: ProgramTimer | undefined): void {
    if (!timer) return;
    timer.callback = undefined;
    timer.at = Number.POSITIVE_INFINITY;
  },
};

declare const board: { milliseconds(): number };
