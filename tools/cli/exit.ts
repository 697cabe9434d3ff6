import { CommanderError } from "commander";
import { PluginError } from "../../host-sim/catalogue/catalogue.ts";
import { ScenarioError } from "../../host-sim/scenario.ts";
import { StreamError } from "../../host-sim/streams/stream-error.ts";
import { GivenError } from "../../host-sim/sweep/threads.ts";
import { OptionError, OutOfMemoryError } from "../../src/index.ts";
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

/** Invalid input; the message says in one line what is wrong, where, and what would be right. */
export class UserError extends Error {}

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

const USER_ERRORS = [UserError, OptionError, GivenError, StreamError, ScenarioError, PluginError];

/** Whether the error is due to the user's input. */
export function isUsersFault(error: unknown): boolean {
  return exitCode(error) === EXIT_USAGE;
}

/** The exit code for that error. */
export function exitCode(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT_OK : EXIT_USAGE;
  if (USER_ERRORS.some((kind) => error instanceof kind)) return EXIT_USAGE;
  if (error instanceof DoesNotFitError || error instanceof OutOfMemoryError) return EXIT_DOES_NOT_FIT;
  if (error instanceof DeviceError) return EXIT_DEVICE;
  if (error instanceof DifferentStateError) return EXIT_DIFFERENT;
  if (error instanceof FailedCheckError) return EXIT_FAILED_CHECK;
  if (error instanceof UnlearnedError) return EXIT_UNLEARNED;
  if (error instanceof InterruptedError) return EXIT_INTERRUPTED;
  return EXIT_INTERNAL;
}

function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (!(error instanceof StreamError) || error.rowsRead === 0) return error.message;
  return `${error.message} (${error.rowsRead} ${error.rowsRead === 1 ? "row was" : "rows were"} read before it)`;
}

/** The error in one line, without passwords of addresses. */
export function lineOf(error: unknown): string {
  return withoutPassword(messageOf(error))
    .replace(/^error: /, "")
    .replace(/\s*\n\s*/g, " ")
    .trim();
}

/** Prints the error on stderr, in one line unless it is internal, and sets the exit code. */
export function endWith(error: unknown): void {
  process.exitCode = exitCode(error);
  if (process.exitCode === EXIT_OK) return;
  printNote(`motelearn: ${lineOf(error)}`);
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
