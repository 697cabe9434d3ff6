/** Invalid input; the message says in one line what is wrong, where, and what would be right. */
export class UserError extends Error {
  /** The message, with what happened before the error. */
  get inOneLine(): string {
    return this.message;
  }
}

/** A valid request that doesn't fit; the message says in one line what and by how much. */
export class DoesNotFitError extends Error {}

/** A port, a node or a fusion centre fails; the message says in one line which, how, and what may help. */
export class DeviceError extends Error {}

/** A node computes other bits than this machine, or its state differs; the message says which in one line. */
export class DifferentStateError extends Error {}

/** A learner fails a check; the message names learner and check in one line. */
export class FailedCheckError extends Error {}

/** A node didn't learn all labels; the message says in one line how many, why, and what may help. */
export class UnlearnedError extends Error {}

/** Ctrl-C came before there was anything to print; the message says so in one line. */
export class InterruptedError extends Error {}

/**
 * What `read` returns. Its errors become UserErrors that name the place.
 * @param cure what would be right in place of a file that can't be read.
 */
export function placed<T>(place: string, read: () => T, cure?: string): T {
  try {
    return read();
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const unread = `can't be read (${code})${cure === undefined ? "" : `; ${cure}`}`;
    throw new UserError(`${place}: ${code === undefined ? message : unread}`);
  }
}
