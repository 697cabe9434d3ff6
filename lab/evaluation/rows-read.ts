import { countText } from "../../host/count-text.ts";
import { type BadRowsReport, badRowsText } from "../../host/streams/bad-rows.ts";
import type { SampleTable } from "../../host/streams/bursts.ts";
import { ClassNames, type WrittenLabel } from "../../host/streams/class-names.ts";
import { columnsText, type NamedColumns, namedColumns } from "../../host/streams/columns.ts";
import { type MissingReport, missingText } from "../../host/streams/missing.ts";
import type { DataSet } from "../../host/streams/table.ts";
import { type LabelColumn, labelledCount } from "../../host/streams/targets.ts";

export interface RowsRead {
  readonly file: string;
  readonly count: number;
  /** Rows without a label, where there are any. */
  readonly unlabelled?: number;
  /** The readings that rows lack, where --missing takes such rows. */
  readonly missing?: MissingReport;
  /** The rows that were skipped, where the file's description has bad ones skipped. */
  readonly badRows?: BadRowsReport;
  /** Of a CSV file. */
  readonly columns?: NamedColumns;
}

/** The classes of a file's labels. */
export interface ClassesRead {
  /** Their names, numbers where the file's labels are; null for a regression. */
  readonly labels: readonly WrittenLabel[] | null;
  /** The learner's target of each. */
  readonly targets: readonly number[] | null;
}

export function rowsRead(data: DataSet | SampleTable): RowsRead {
  const { source: file, count, missing, roles, badRows } = data;
  const unlabelled = count - labelledCount(data);
  return {
    ...{ file, count },
    ...(unlabelled > 0 && { unlabelled }),
    ...(missing && { missing }),
    ...(badRows && { badRows }),
    ...(roles && { columns: namedColumns(roles) }),
  };
}

export function classesRead({ labelNames, classes: named }: LabelColumn, known?: ClassNames): ClassesRead {
  if (!known) return { labels: null, targets: null };
  const labels = labelNames || named ? known.names : known.names.map(Number);
  return { labels, targets: known.names.map((_, place) => known.targetAt(place)) };
}

/** The readings that a file's rows lack, and how they were handled, for people. */
function missingLine({ how, ...tally }: MissingReport): string {
  return `missing, ${how}: ${missingText(tally)}`;
}

/** How a file was read, for people. */
export function rowLines(
  { columns, unlabelled, missing, badRows }: RowsRead,
  classes?: ClassesRead,
): string[] {
  const { labels, targets } = classes ?? {};
  return [
    ...(columns ? [columnsText(columns)] : []),
    ...(labels && targets ? [`classes ${new ClassNames(labels.map(String), targets[0] === 0).text}`] : []),
    ...(unlabelled ? [`${countText(unlabelled, "row")} without a label: predicted, and not scored`] : []),
    ...(missing ? [missingLine(missing)] : []),
    ...(badRows ? [badRowsText(badRows)] : []),
  ];
}
