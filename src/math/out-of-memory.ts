/** An engine has no room for a memory of that many bytes. This class distinguishes it from a wrong option. */
export class OutOfMemoryError extends RangeError {
  constructor(
    /** Bytes of the memory that was asked for. */
    readonly bytes: number,
    most = "",
  ) {
    super(`memory: allocation failed: ${bytes} bytes${most}`);
    // On XS, where built-ins are frozen, an assignment would throw.
    Object.defineProperty(this, "name", { value: "OutOfMemoryError" });
  }
}
