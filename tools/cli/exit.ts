import { CommanderError } from "commander";
import { PluginError } from "../../host-sim/catalogue/catalogue.ts";
import { ScenarioError } from "../../host-sim/scenario.ts";
import { StreamError } from "../../host-sim/streams/stream-error.ts";
import { GivenError } from "../../host-sim/sweep/threads.ts";
import { OptionError, OutOfMemoryError } from "../../src/index.ts";
import { printNote } from "./print.ts";

/** What the program was asked to do is done. */
export const EXIT_OK = 0;
/** A fault of the program itself: the only case in which a stack is printed. */
export const EXIT_INTERNAL = 1;
/** What the user gave can't be used: a command line, an option, a file. One line on stderr says what and where. */
export const EXIT_USAGE = 2;
/** What was asked for is valid but doesn't fit, in a memory or a budget of bytes. One line on stderr. */
export const EXIT_DOES_NOT_FIT = 3;
/** A port can't be opened, or a node or fusion centre went away or stays silent. One line on stderr. */
export const EXIT_DEVICE = 4;
/** A node computes, or would compute, other bits than this machine, or ended in another state than simulated. One line on stderr. */
export const EXIT_DIFFERENT = 5;
/** A learner fails a check. One line on stderr says which, and how many failed. */
export const EXIT_FAILED_CHECK = 6;
/** Interrupted (128 + SIGINT), which is also what a shell reports for a program that SIGINT ended. */
export const EXIT_INTERRUPTED = 130;

/** What the user gave can't be used; the message says what, where, and what would be right, on one line. */
export class UserError extends Error {}

/** What was asked for is valid but doesn't fit; the message says what and by how much, on one line. */
export class DoesNotFitError extends Error {}

/** A port, a node or a fusion centre fails; the message says which, how, and what may help, on one line. */
export class DeviceError extends Error {}

/** A node computes other bits than this machine, or came to another state; the message says which, on one line. */
export class DifferentStateError extends Error {}

/** A learner fails a check; the message says which learner and check, on one line. */
export class FailedCheckError extends Error {}

/** Ctrl-C came before there was anything to print; the message says so, on one line. */
export class InterruptedError extends Error {}

const USER_ERRORS = [UserError, OptionError, GivenError, StreamError, ScenarioError, PluginError];

/** Whether what the user gave is to blame. */
export function isUsersFault(error: unknown): boolean {
  return exitCode(error) === EXIT_USAGE;
}

/** The exit code of a program that ends with that error. */
export function exitCode(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT_OK : EXIT_USAGE;
  if (USER_ERRORS.some((kind) => error instanceof kind)) return EXIT_USAGE;
  if (error instanceof DoesNotFitError || error instanceof OutOfMemoryError) return EXIT_DOES_NOT_FIT;
  if (error instanceof DeviceError) return EXIT_DEVICE;
  if (error instanceof DifferentStateError) return EXIT_DIFFERENT;
  if (error instanceof FailedCheckError) return EXIT_FAILED_CHECK;
  if (error instanceof InterruptedError) return EXIT_INTERRUPTED;
  return EXIT_INTERNAL;
}

function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (!(error instanceof StreamError) || error.rowsRead === 0) return error.message;
  return `${error.message} (${error.rowsRead} ${error.rowsRead === 1 ? "row was" : "rows were"} read before it)`;
}

/** Why the program ends with that error, on one line. */
export function lineOf(error: unknown): string {
  return messageOf(error)
    .replace(/^error: /, "")
    .replace(/\s*\n\s*/g, " ")
    .trim();
}

/** Says on stderr why the program ends, on one line unless the fault is its own, and sets the exit code. */
export function endWith(error: unknown): void {
  process.exitCode = exitCode(error);
  if (process.exitCode === EXIT_OK) return;
  printNote(`motelearn: ${lineOf(error)}`);
  if (process.exitCode !== EXIT_INTERNAL || !(error instanceof Error)) return;
  for (const line of `${error.stack}`.split("\n")) printNote(line);
}

/**
 * A reader that closes the pipe (`| head`) has seen enough: the program ends quietly, with the exit code it had come to. What
 * else goes wrong with its output is said on one line.
 */
export function endQuietlyOnClosedPipe(): void {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on("error", (error: NodeJS.ErrnoException) => {
      if (error.code !== "EPIPE") endWith(new UserError(`what it prints can't be written (${error.code})`));
      process.exit(process.exitCode ?? EXIT_OK);
    });
  }
}
