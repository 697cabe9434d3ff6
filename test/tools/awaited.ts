/** No outcome depends on it: every expected event comes sooner, even on a busy machine. `dev/test.mjs` waits longer still. */
export const LIMIT_MS = 600_000;

/** What is awaited now, the longest first. */
const waits = new Set<{ readonly what: string }>();

/** Names what this process awaits now, that which it awaits longest first. */
export function awaitedNow(): string[] {
  return [...waits].map(({ what }) => what);
}

/**
 * The promise; or after a time limit an Error that names the awaited event and the output until then. Tests
 * of the error itself set `limitMs`.
 */
export function awaited<T>(
  what: string,
  promise: Promise<T>,
  heard: () => string,
  limitMs = LIMIT_MS,
): Promise<T> {
  let limit: NodeJS.Timeout;
  const wait = { what };
  waits.add(wait);
  const late = new Promise<never>((_, reject) => {
    const give = () => reject(new Error(`${what}: not in ${limitMs / 1000} s; heard last: ${heard()}`));
    limit = setTimeout(give, limitMs);
  });
  return Promise.race([promise, late]).finally(() => {
    clearTimeout(limit);
    waits.delete(wait);
  });
}

/** Waits so long: between two acts of a load. No assertion may depend on its length. */
export function pause(ms: number): Promise<void> {
  return new Promise((done) => setTimeout(done, ms));
}

/** Resolves when `done` is true; looks every `everyMs`. Where an event says it, wait for the event instead. */
export async function become(
  what: string,
  done: () => boolean | Promise<boolean>,
  heard: () => string,
  everyMs = 20,
): Promise<void> {
  let over = false;
  const poll = async () => {
    while (!over && !(await done())) await pause(everyMs);
  };
  await awaited(what, poll(), heard).finally(() => {
    over = true;
  });
}
