import type { Host } from "../programs/host.ts";

declare const host: Host;
declare const board: {
  milliseconds(): number;
  /** Runs the jobs of settled promises. */
  settle(): void;
  /** Waits so many milliseconds, with interrupts enabled. */
  rest(milliseconds: number): void;
};

/** Most milliseconds between two checks of due timers. */
const LOOK_MS = 20;

export interface ProgramTimer {
  callback: ((timer: ProgramTimer) => void) | undefined;
  at: number;
  /** 0: once. */
  repeat: number;
}

/** A source of events that runs before the timers. */
export interface EventSource {
  pump(): void;
}

/** The event loop, like Moddable's on a board. It allocates nothing while it runs. */
export class EventLoop {
  private readonly timers: ProgramTimer[] = [];
  private readonly pumped: EventSource[] = [];

  add(callback: (timer: ProgramTimer) => void, delay: number, repeat: number): ProgramTimer {
    const timer = { callback, at: board.milliseconds() + delay, repeat };
    this.timers.push(timer);
    return timer;
  }

  lookAfter(pumped: EventSource): void {
    this.pumped.push(pumped);
  }

  /** Runs until that time since its start; default: until the board has no power. */
  run(until = Number.POSITIVE_INFINITY): void {
    const { timers, pumped } = this;
    while (board.milliseconds() < until) {
      host.feed();
      board.settle();
      for (let i = 0; i < pumped.length; i++) pumped[i].pump();
      let next = board.milliseconds() + LOOK_MS;
      for (let i = 0; i < timers.length; i++) {
        const timer = timers[i];
        if (timer.at <= board.milliseconds()) this.fire(timer);
        if (timer.at < next) next = timer.at;
      }
      const wait = next - board.milliseconds();
      if (wait > 0) board.rest(wait);
    }
  }

  private fire(timer: ProgramTimer): void {
    const { callback } = timer;
    if (timer.repeat > 0) timer.at += timer.repeat;
    else timer.at = Number.POSITIVE_INFINITY;
    callback?.(timer);
  }
}
