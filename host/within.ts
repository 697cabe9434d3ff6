/**
 * What `act` gives. After so many milliseconds it rejects with an Error of that text, and so does `act`'s signal: the other end may never
 * answer.
 */
export async function within<T>(
  ms: number,
  act: (signal: AbortSignal) => Promise<T>,
  late = `no answer within ${ms} ms`,
): Promise<T> {
  const limit = new AbortController();
  const { signal } = limit;
  const over = new Promise<never>((_, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason));
  });
  const timer = setTimeout(() => limit.abort(new Error(late)), ms);
  try {
    return await Promise.race([act(signal), over]);
  } finally {
    clearTimeout(timer);
  }
}
