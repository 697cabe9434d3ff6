/** No outcome depends on it: every expected event comes sooner, even on a busy machine. */
export const LIMIT_MS = 600_000;

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
  const late = new Promise<never>((_, reject) => {
    const give = () => reject(new Error(`${what}: not in ${limitMs / 1000} s; heard last: ${heard()}`));
    limit = setTimeout(give, limitMs);
  });
  return Promise.race([promise, late]).finally(() => clearTimeout(limit));
}

/** Resolves when `done` is true, which is looked after every 20 ms. */
export async function become(
  what: string,
  done: () => boolean | Promise<boolean>,
  heard: () => string,
): Promise<void> {
  let over = false;
  const poll = async () => {
    while (!over && !(await done())) await new Promise((again) => setTimeout(again, 20));
  };
  await awaited(what, poll(), heard).finally(() => {
    over = true;
  });
}
