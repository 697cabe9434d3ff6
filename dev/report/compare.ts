import type { Figures } from "./figures.ts";

/** Growth of a figure above which the changelog must name it. */
export const TOLERANCE = 0.02;
/**
 * Bytes by which any module may grow: 2 % of a short one is less than a statement. The whole firmware has no
 * such allowance.
 */
const MODULE_ROOM = 64;

export interface Change {
  readonly name: string;
  readonly before: number;
  readonly now: number;
  /** Relative change: 0.05 is 5 % more. */
  readonly by: number;
  /** True if the changelog names it. */
  readonly named: boolean;
}

export interface Comparison {
  /** Figures that moved by more than the tolerance, the worst first. */
  readonly worse: readonly Change[];
  readonly better: readonly Change[];
  readonly added: readonly string[];
  readonly gone: readonly string[];
  /** How many are in both. */
  readonly compared: number;
}

/** The changelog's unreleased text: its first chapter, if that is its title. */
export function unreleasedChapter(changelog: string): string {
  const [, first = ""] = changelog.split(/^## /m);
  return /^.*unreleased/i.test(first) ? first : "";
}

/**
 * True if the text names a figure in backticks, itself or by a pattern in which `*` stands for one part:
 * `instructions/*\/pa/learn`.
 */
function isNamed(name: string, text: string): boolean {
  const parts = name.split("/");
  return [...text.matchAll(/`([^`\n]+)`/g)].some(([, pattern]) => {
    const wanted = pattern.split("/");
    return wanted.length === parts.length && wanted.every((part, i) => part === "*" || part === parts[i]);
  });
}

function isWorse({ name, before, now, by }: Change): boolean {
  return by > TOLERANCE && !(name.startsWith("code/") && now - before <= MODULE_ROOM);
}

/** Compares a release's figures with the present ones; `changelog`: the whole file. */
export function compare(before: Figures, now: Figures, changelog: string): Comparison {
  const text = unreleasedChapter(changelog);
  const both = Object.keys(now).filter((name) => Object.hasOwn(before, name));
  const changes = both.map((name): Change => {
    const by = before[name] === now[name] ? 0 : now[name] / before[name] - 1;
    return { name, before: before[name], now: now[name], by, named: isNamed(name, text) };
  });
  return {
    worse: changes.filter(isWorse).sort((a, b) => b.by - a.by),
    better: changes.filter(({ by }) => by < -TOLERANCE).sort((a, b) => a.by - b.by),
    added: Object.keys(now).filter((name) => !Object.hasOwn(before, name)),
    gone: Object.keys(before).filter((name) => !Object.hasOwn(now, name)),
    compared: both.length,
  };
}
