/** How the caller's user writes the options for reading a file, for messages; one that the user doesn't have is absent. */
export interface OptionNames {
  readonly columns?: string;
  readonly label?: string;
  readonly missing?: string;
  readonly header?: string;
}

/** Those of a program that calls `readTable`. */
export const PROGRAM_OPTIONS: OptionNames = {
  columns: "option columns",
  label: "option label",
  missing: "option missing",
  header: "option header",
};
