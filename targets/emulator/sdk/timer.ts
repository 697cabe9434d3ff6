import type { EventLoop, Timed } from "./event-loop.ts";

/** Made when the program starts: objects made earlier lie in flash, and can't change. */
declare const eventLoop: EventLoop;

/** `timer`. */
export default {
  set: (callback: (timer: Timed) => void, delay = 0, repeat = 0) => eventLoop.add(callback, delay, repeat),
  repeat: (callback: (timer: Timed) => void, interval: number) => eventLoop.add(callback, interval, interval),
  schedule(timer: Timed, delay = Number.POSITIVE_INFINITY, repeat = 0): void {
    timer.at = board.milliseconds() + delay;
    timer.repeat = repeat;
  },
  clear(timer: Timed | undefined): void {
    if (!timer) return;
    timer.callback = undefined;
    timer.at = Number.POSITIVE_INFINITY;
  },
};

declare const board: { milliseconds(): number };
