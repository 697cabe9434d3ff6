/** What the promise gives; after so many milliseconds it rejects with an Error of that text: the other end may never answer. */
export async function within<T>(
  ms: number,
  promise: Promise<T>,
  late = `no answer within ${ms} ms`,
): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(late)), ms);
  });
  try {
    return await Promise.race([promise, limit]);
  } finally {
    clearTimeout(timer);
  }
}
