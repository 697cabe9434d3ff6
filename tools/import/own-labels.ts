import { dirname, relative, resolve } from "node:path";
import type { LabelFile } from "../../host/streams/forms/label-file.ts";
import type { FormOptions } from "../../host/streams/forms/options.ts";
import { excerpt, UnskippableError } from "../../host/streams/stream-error.ts";
import type { DateOrder } from "../../host/streams/time-text.ts";
import { type Dialect, detectDialect, hasNames } from "./dialect.ts";
import { firstLines } from "./first-lines.ts";
import { readWindows } from "./label-windows.ts";
import { findColumn, hasVerdict, isIdName, LABEL_NAMES } from "./roles.ts";
import { doubtfulDates, makeSurvey, type Survey } from "./survey.ts";
import { plainTable } from "./table.ts";

/** Names of the columns of a span's two times. */
const FIRST = /start|begin|from|first|anfang|von/i;
const LAST = /end|stop|until|last|till|^to$|bis|finish/i;
/** The label of rows in no span, where all spans have one class: of a word, of 0, of another number. */
const OTHER = { word: "other", zero: "1", number: "0" };

interface LabelChoice {
  readonly label?: string;
  readonly dateOrder?: DateOrder;
}

/**
 * How a file of labels is read: NAB's windows, or a table.
 *
 * @param file with the rows.
 * @throws StreamError where nothing says which column is the label, or a time can't be read.
 */
export async function findOwnLabels(
  path: string,
  file: string,
  choice: LabelChoice,
): Promise<Pick<FormOptions, "windows" | "labels">> {
  const lines = await firstLines(path);
  if (/^\s*[[{]/.test(lines.join("\n"))) return { windows: readWindows(path, file) };
  const found = detectDialect(lines);
  const survey = await surveyLabels(path, found, choice);
  const dialect = isAlsoClass(survey, found) ? { ...found, header: false } : found;
  return { labels: describe(path, file, dialect, survey, choice) };
}

async function surveyLabels(path: string, dialect: Dialect, { dateOrder }: LabelChoice): Promise<Survey> {
  const records = plainTable(path, dialect, "refuse").records();
  const survey = await makeSurvey(records, dialect, false, dateOrder);
  const { rows, doubt, spoiltTime } = survey;
  if (rows === 0) throw new UnskippableError(path, undefined, "no labels", "one or more is needed");
  if (doubt) throw doubtfulDates(path, doubt);
  if (!spoiltTime?.found.bad) return survey;
  const { line, text } = spoiltTime.found.bad;
  throw new UnskippableError(path, line, `${excerpt(text)} is no time`, "every label needs one");
}

/** True if the header of a lone column is a class, too. */
function isAlsoClass({ columns }: Survey, { header }: Dialect): boolean {
  return header && columns.length === 1 && columns[0].values.has(columns[0].name);
}

function describe(
  path: string,
  file: string,
  dialect: Dialect,
  survey: Survey,
  choice: LabelChoice,
): LabelFile {
  const { columns } = survey;
  const [time, last] = timesIn(survey);
  const label = labelAt(path, survey, dialect, { ...choice, isSpan: last !== undefined });
  const reference = (at: number) => (dialect.header && !dialect.names ? columns[at].name : at + 1);
  const { separator, header, skipLines, comment, quote } = dialect;
  return {
    file: relative(dirname(resolve(file)), resolve(path)),
    ...{ separator, header },
    ...(skipLines !== undefined && { skipLines }),
    ...(comment !== undefined && { comment }),
    ...(quote !== undefined && { quote }),
    ...(label !== undefined && { label: reference(label) }),
    ...(time && { time: reference(time.at) }),
    ...(time?.clock !== undefined && { clock: reference(time.clock) }),
    ...(time?.found.unit && { timeUnit: time.found.unit }),
    ...(time?.found.dateOrder && { dateOrder: time.found.dateOrder }),
    ...(last && {
      last: reference(last.at),
      ...otherLabel(label === undefined ? undefined : columns[label]),
    }),
  };
}

/** The time of a label, and the last one of a span. */
function timesIn({ columns, time, times }: Survey): readonly Survey["times"][number][] {
  const spans = times.filter(({ clock }) => clock === undefined);
  const first = spans.find(({ at }) => FIRST.test(columns[at].name));
  const last = spans.find(({ at }) => at !== first?.at && LAST.test(columns[at].name));
  if (first && last) return [first, last];
  return time ? [time] : [];
}

/** The label of rows in no span, where the spans have one class alone. */
function otherLabel(label: Survey["columns"][number] | undefined): Pick<LabelFile, "otherwise"> {
  if (!label) return { otherwise: OTHER.number };
  const [value, ...more] = label.classes;
  if (more.length > 0) return {};
  if (label.words > 0) return { otherwise: OTHER.word };
  return { otherwise: Number(value) === 0 ? OTHER.zero : OTHER.number };
}

/** The place of the label; undefined where spans have none. Throws a StreamError where several could be it, and no name says which. */
function labelAt(
  path: string,
  survey: Survey,
  dialect: Dialect,
  { label, isSpan }: LabelChoice & { readonly isSpan: boolean },
): number | undefined {
  const { columns, times } = survey;
  if (label !== undefined) return findColumn(path, survey, label);
  const isTime = (at: number) => times.some((time) => time.at === at || time.clock === at);
  const usable = [...columns.keys()].filter((at) => {
    const { name, isEmpty, isNotes, isCounting } = columns[at];
    return !isTime(at) && !isIdName(name) && !isEmpty && !isNotes && !isCounting;
  });
  const last = (isIt: (at: number) => boolean) => usable.filter(isIt).at(-1);
  const named = usable.find(
    (at) => hasNames(dialect) && LABEL_NAMES.includes(columns[at].name.toLowerCase()),
  );
  const found = named ?? last((at) => hasVerdict(columns[at], dialect)) ?? last((at) => columns[at].isWordy);
  if (found !== undefined) return found;
  const [only, ...others] = usable;
  const isOnly = only !== undefined && others.length === 0;
  if (isOnly && (!isSpan || columns[only].words > 0 || columns[only].values.size === 1)) return only;
  if (isSpan && only === undefined) return undefined;
  const names = columns.map(({ name }) => name).join(", ");
  throw new UnskippableError(path, undefined, "no column is called label", `--label chooses one of ${names}`);
}
