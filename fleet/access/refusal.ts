/** Seconds after which a request that is refused for now, with 503, may come again. */
const AGAIN = { "retry-after": "1" };

/** A refused request: its HTTP status and one line. */
export class Refusal extends Error {
  /** The refused user; "" if unknown. */
  who = "";
  constructor(
    readonly status: number,
    message: string,
    readonly headers: Readonly<Record<string, string>> = status === 503 ? AGAIN : {},
  ) {
    super(message);
  }
}
