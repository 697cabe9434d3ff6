/** A refused request: its HTTP status and one line. */
export class Refusal extends Error {
  /** The refused user; "" if unknown. */
  who = "";
  constructor(
    readonly status: number,
    message: string,
    readonly headers: Readonly<Record<string, string>> = {},
  ) {
    super(message);
  }
}
