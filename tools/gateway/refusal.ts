/** What is answered with a status that isn't 200, in one line. */
export class Refusal extends Error {
  /** Who was refused; "" where nobody knows. */
  who = "";
  constructor(
    readonly status: number,
    message: string,
    readonly headers: Readonly<Record<string, string>> = {},
  ) {
    super(message);
  }
}
