/** Resolves once the promise is settled, at the latest after so many milliseconds: the other end may be gone. */
export async function briefly(promise: Promise<unknown>, ms: number): Promise<void> {
  const limit = new Promise<void>((done) => setTimeout(done, ms).unref());
  await Promise.race([promise.catch(() => {}), limit]);
}
