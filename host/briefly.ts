import { within } from "./within.ts";

/** Resolves once the promise is settled, at the latest after so many milliseconds: the other end may be gone. */
export async function briefly(ms: number, promise: Promise<unknown>): Promise<void> {
  await within(ms, () => promise).catch(() => {});
}
