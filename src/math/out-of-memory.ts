/** The engine has no room for a memory of that many bytes. A class of its own distinguishes this from a wrong option. */
export class OutOfMemoryError extends RangeError {
  constructor(
    /** Bytes of the requested memory. */
    readonly bytes: number,
    most = "",
  ) {
    super(`memory: allocation failed: ${bytes} bytes${most}`);
    // On XS, where built-ins are frozen, an assignment would throw.
    Object.defineProperty(this, "name", { value: "OutOfMemoryError" });
  }
}
