import { StreamError, UnskippableError } from "../stream-error.ts";
import { LINE_LENGTH_MAX, type TextSource } from "../text.ts";

/** An object of a JSON text, and the line on which it begins. */
export interface ListedObject {
  readonly line: number;
  readonly text: string;
  /** The brackets around it. */
  readonly nesting: string;
}

/** The brackets around an object that is a row: a list's, also one within another or of an object with other names. */
const AROUND: readonly string[] = ["[", "[[", "{["];
/** Where nothing but rows may stand. */
const ROWS_ONLY: readonly string[] = ["", "[", "[["];
const CLOSING: Readonly<Record<string, string>> = { "}": "{", "]": "[" };

/** The objects of a JSON text's list, several at a time, none of them parsed. Throws an UnskippableError for other JSON, and a StreamError where the text ends too early. */
export async function* listedObjects(text: TextSource): AsyncGenerator<ListedObject[]> {
  const list = new ObjectList(text.file);
  for await (const piece of text.texts()) yield list.take(piece);
  list.end();
}

class ObjectList {
  private line = 1;
  /** The brackets that are open. */
  private nesting = "";
  private isQuoted = false;
  private isEscaped = false;
  /** The beginning of an object, its line, and the brackets around it. */
  private rest = "";
  private first = 0;
  private around: string | undefined;
  /** Lists of the outermost object, and the one that has the rows. */
  private lists = 0;
  private rowsList = 0;

  constructor(private readonly file: string) {}

  take(text: string): ListedObject[] {
    const found: ListedObject[] = [];
    let from = 0;
    for (let at = 0; at < text.length; at++) {
      const mark = text[at];
      if (mark === "\n") this.line++;
      if (this.isQuoted) this.takeQuoted(mark);
      else if (mark === "{" || mark === "[") {
        if (this.open(mark)) from = at;
      } else if (mark === "}" || mark === "]") {
        this.close(mark);
        if (this.nesting !== this.around) continue;
        found.push({ line: this.first, text: this.rest + text.slice(from, at + 1), nesting: this.around });
        this.rest = "";
        this.around = undefined;
      } else this.takeOther(mark);
    }
    if (this.around !== undefined) this.rest += text.slice(from);
    if (this.rest.length > LINE_LENGTH_MAX)
      throw this.fault(`an object of more than ${LINE_LENGTH_MAX} characters`, this.first);
    return found;
  }

  private takeQuoted(mark: string): void {
    if (this.isEscaped) this.isEscaped = false;
    else if (mark === "\\") this.isEscaped = true;
    else if (mark === '"') this.isQuoted = false;
  }

  private takeOther(mark: string): void {
    if (mark === '"') this.isQuoted = true;
    const isRowsOnly = this.around === undefined && ROWS_ONLY.includes(this.nesting);
    if (isRowsOnly && mark !== "," && mark.trim() !== "")
      throw this.fault("a value that is no object in a list");
  }

  /** Takes an opening bracket; returns whether a row begins with it. */
  private open(mark: string): boolean {
    const isRow = mark === "{" && this.around === undefined && AROUND.includes(this.nesting);
    if (isRow) {
      this.around = this.nesting;
      this.first = this.line;
      if (this.nesting === "{[") this.checkList();
    }
    this.nesting += mark;
    if (this.nesting === "{[") this.lists++;
    return isRow;
  }

  private checkList(): void {
    this.rowsList ||= this.lists;
    if (this.rowsList !== this.lists) throw this.fault("a second list of objects");
  }

  private close(mark: string): void {
    if (!this.nesting.endsWith(CLOSING[mark])) throw this.fault(`a ${mark} that nothing opens`);
    this.nesting = this.nesting.slice(0, -1);
  }

  end(): void {
    if (this.nesting === "") return;
    const line = this.around === undefined ? this.line : this.first;
    throw new StreamError(this.file, line, "the JSON ends within its list", "the whole file is needed");
  }

  private fault(what: string, line = this.line): UnskippableError {
    const right = "one list of objects is needed, each with named values";
    return new UnskippableError(this.file, line, what, right);
  }
}
