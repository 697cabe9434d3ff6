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
const EXIT_INTERRUPTED = 130;
/** The exit code of each signal on which it stops: what a shell reports for a program that the signal ended. */
export const EXIT_OF_SIGNAL = { SIGHUP: 129, SIGINT: EXIT_INTERRUPTED, SIGTERM: 143 } as const;
/** Who read the output closed it while the work was under way (128 + SIGPIPE). */
const EXIT_UNREAD = 141;
const CLOSED_PIPE = "EPIPE";

/** Why the system refuses a file, and what would be right; undefined for other errors. */
function systemFault(error: unknown): string | undefined {
  const { code, path, syscall } = error as { readonly [name: string]: unknown };
  if (!(error instanceof Error) || typeof code !== "string") return undefined;
  // A thread that can't begin says the system's code in its message alone.
  const [open] = /\bE[MN]FILE\b/.exec(code === "ERR_WORKER_INIT_FAILED" ? error.message : code) ?? [];
  if (open !== undefined)
    return `too many files are open (${open}); end other programs, or raise the limit: ulimit -n 1024`;
  if (syscall === undefined) return undefined;
  if (syscall === "uv_cwd") return "the folder in which this runs was removed; go to another: cd";
  return typeof path === "string" ? `${path}: can't be used (${code})` : undefined;
}

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
  if (error instanceof InterruptedError) return Number(process.exitCode) || EXIT_INTERRUPTED;
  return systemFault(error) === undefined ? EXIT_INTERNAL : EXIT_USAGE;
}

function errorMessage(error: unknown): string {
  if (error instanceof UserError) return error.inOneLine;
  const fault = systemFault(error);
  if (fault !== undefined) return fault;
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

/** What the program does when its output can't be written. */
type OutputFailure = (why: string) => void;

let outputFailed: OutputFailure | undefined;

/** Has a program that runs for long deal itself with an output that can't be written. The first that asks for it does. */
export function onOutputFailure(act: OutputFailure): void {
  outputFailed ??= act;
}

/** Sets the exit code for an output that can't be written, and says why in one line; a reader that closed the pipe needs none. */
export function endWithoutOutput(why: string): void {
  if (why === CLOSED_PIPE) process.exitCode = EXIT_UNREAD;
  else endWith(new UserError(`the output can't be written (${why})`));
}

/**
 * What a program does in any case. When a reader closes the pipe (`| head`) after all work, it ends quietly with the exit code that it
 * had come to. An error that nobody awaits ends it as others do: in one line, unless it is a fault of the program.
 * @param running settles when all work is done, and the output alone remains.
 */
export function watchProgram(running: Promise<void>): void {
  let isOver = false;
  const over = () => {
    isOver = true;
  };
  running.then(over, over);
  const fail = (why: string) => {
    if (outputFailed && !isOver) return outputFailed(why);
    if (why !== CLOSED_PIPE) endWithoutOutput(why);
    process.exit(process.exitCode ?? EXIT_OK);
  };
  for (const stream of [process.stdout, process.stderr])
    stream.on("error", ({ code = "" }: NodeJS.ErrnoException) => setImmediate(fail, code));
  process.on("uncaughtException", (error) => {
    endWith(error);
    process.exit();
  });
}
