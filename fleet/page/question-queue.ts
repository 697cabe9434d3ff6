import type { Question } from "../api/api.ts";

export interface Item {
  readonly node: string;
  readonly question: Question;
}

const questionKey = ({ node, question }: Item) => `${node} ${question.row[1]} ${question.row[2]}`;

/** Nodes by name, beginning after that one: so each has its turn. */
export function inTurn(nodes: readonly string[], last: string): string[] {
  const byName = (a: string, b: string) => a.localeCompare(b, "en", { numeric: true });
  const sorted = [...nodes].sort(byName);
  const first = sorted.findIndex((node) => byName(node, last) > 0);
  return first < 0 ? sorted : [...sorted.slice(first), ...sorted.slice(0, first)];
}

/** The questions of nodes, which take turns; each has its most useful one first. */
export class QuestionQueue {
  /** The node whose question was shown last. */
  last = "";
  private items: ReadonlyMap<string, readonly Item[]> = new Map();
  private readonly dealtWith = new Set<string>();

  fill(lists: readonly (readonly Item[])[]): void {
    this.items = new Map(lists.filter((list) => list.length > 0).map((list) => [list[0].node, list]));
  }

  /** The next one that can still be answered; undefined: there is none. */
  next(open: (item: Item) => boolean): Item | undefined {
    for (const node of inTurn([...this.items.keys()], this.last)) {
      const item = this.items.get(node)?.find((each) => !this.dealtWith.has(questionKey(each)) && open(each));
      if (item) {
        this.last = node;
        return item;
      }
    }
    return undefined;
  }

  /** It was answered or skipped. */
  done(item: Item): void {
    this.dealtWith.add(questionKey(item));
  }

  /** Its answer was taken back. */
  back(item: Item): void {
    this.dealtWith.delete(questionKey(item));
    this.last = item.node;
  }
}
