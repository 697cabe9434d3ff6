/** An engine has no room for a memory of that many bytes. This class distinguishes it from a wrong option. */
export class OutOfMemoryError extends RangeError {
  /** The name of this class, in every engine and bundle. */
  override readonly name: string = "OutOfMemoryError";

  constructor(
    /** Bytes of the memory that was asked for. */
    readonly bytes: number,
    most = "",
  ) {
    super(`memory: allocation failed: ${bytes} bytes${most}`);
  }
}
