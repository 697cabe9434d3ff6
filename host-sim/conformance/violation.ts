/** A violated property of learners; the message names the property, the place and the actual result. */
export class Violation extends Error {}

/** Throws a Violation that says so unless `holds`. */
export function must(holds: boolean, otherwise: () => string): asserts holds {
  if (!holds) throw new Violation(otherwise());
}

/** Throws a Violation unless both are the same value, NaN being NaN. */
export function mustBe(got: unknown, wanted: unknown, what: string): void {
  must(Object.is(got, wanted), () => `${what}: got ${got}, not ${wanted}`);
}

/** Runs the check. Any error that it throws becomes a Violation whose message begins with `where`. */
export function within(where: string, check: () => void): void {
  try {
    check();
  } catch (error) {
    const told = error instanceof Violation ? error.message : `throws ${error}`;
    throw new Violation(`${where}: ${told}`, { cause: error });
  }
}
