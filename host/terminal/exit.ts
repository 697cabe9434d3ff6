import { CommanderError } from "commander";
import { OutOfMemoryError } from "../../src/math/out-of-memory.ts";
import { OptionError } from "../../src/memory/option-error.ts";
import {
  DeviceError,
  DifferentStateError,
  DoesNotFitError,
  FailedCheckError,
  InterruptedError,
  UnlearnedError,
  UserError,
} from "../errors.ts";
import { printNote } from "./print.ts";
import { withoutPassword } from "./without-password.ts";

/** Success. */
export const EXIT_OK = 0;
/** An internal error: the only case in which a stack is printed. */
const EXIT_INTERNAL = 1;
/** Invalid input: a command line, an option, a file. One line on stderr says what and where. */
const EXIT_USAGE = 2;
/** A valid request that doesn't fit a memory or a budget of bytes. One line on stderr. */
export const EXIT_DOES_NOT_FIT = 3;
/** A port can't be opened, or a node or fusion centre has gone or stays silent. One line on stderr. */
const EXIT_DEVICE = 4;
/**
 * A node computes, or would compute, other bits than this machine, or its state differs from the simulated
 * one. One line on stderr.
 */
const EXIT_DIFFERENT = 5;
/** A learner fails a check. One line on stderr says which, and how many failed. */
const EXIT_FAILED_CHECK = 6;
/** A node didn't learn all labels: some were refused, late or lost. One line on stderr says how many, and the remedy. */
const EXIT_UNLEARNED = 7;
/** Interrupted (128 + SIGINT), which is also what a shell reports for a program that SIGINT ended. */
export const EXIT_INTERRUPTED = 130;

/** True if the error is due to the user's input. */
export function isUsersFault(error: unknown): boolean {
  return exitCode(error) === EXIT_USAGE;
}

/** True if nobody foresaw the error: a fault of the program, or of a plugin. */
export function isInternal(error: unknown): boolean {
  return exitCode(error) === EXIT_INTERNAL;
}

export function exitCode(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT_OK : EXIT_USAGE;
  if (error instanceof UserError || error instanceof OptionError) return EXIT_USAGE;
  if (error instanceof DoesNotFitError || error instanceof OutOfMemoryError) return EXIT_DOES_NOT_FIT;
  if (error instanceof DeviceError) return EXIT_DEVICE;
  if (error instanceof DifferentStateError) return EXIT_DIFFERENT;
  if (error instanceof FailedCheckError) return EXIT_FAILED_CHECK;
  if (error instanceof UnlearnedError) return EXIT_UNLEARNED;
  if (error instanceof InterruptedError) return EXIT_INTERRUPTED;
  return EXIT_INTERNAL;
}

function errorMessage(error: unknown): string {
  if (error instanceof UserError) return error.inOneLine;
  return error instanceof Error ? error.message : String(error);
}

/** The error in one line, without passwords of addresses. */
export function errorLine(error: unknown): string {
  return withoutPassword(errorMessage(error))
    .replace(/^error: /, "")
    .replace(/\s*\n\s*/g, " ")
    .trim();
}

/** Prints the error on stderr, in one line unless it is internal, and sets the exit code. */
export function endWith(error: unknown): void {
  process.exitCode = exitCode(error);
  if (process.exitCode === EXIT_OK) return;
  printNote(`motelearn: ${errorLine(error)}`);
  if (process.exitCode !== EXIT_INTERNAL || !(error instanceof Error)) return;
  for (const line of `${error.stack}`.split("\n")) printNote(line);
}

/**
 * When a reader closes the pipe (`| head`), the program ends quietly with its present exit code. It reports
 * any other output error in one line.
 */
export function endQuietlyOnClosedPipe(): void {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on("error", (error: NodeJS.ErrnoException) => {
      if (error.code !== "EPIPE") endWith(new UserError(`the output can't be written (${error.code})`));
      process.exit(process.exitCode ?? EXIT_OK);
    });
  }
}
