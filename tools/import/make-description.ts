import { CLASSES_MAX, distinctLabels } from "../../host/streams/class-names.ts";
import { DESCRIPTION_SCHEMA, type Description } from "../../host/streams/description.ts";
import { type Dialect, hasNames } from "./dialect.ts";
import { timeReference } from "./joined-time.ts";
import type { Role } from "./roles.ts";
import type { Survey } from "./survey.ts";
import type { FoundTable, TableChoice } from "./table.ts";

/** A description of a format alone. */
export function bare(format: Description["format"], { badRows }: TableChoice): Description {
  return { schema: DESCRIPTION_SCHEMA, format, ...(badRows === "skip" && { badRows }) };
}

export function makeDescription(
  { format, dialect, keys }: FoundTable,
  survey: Survey,
  roles: readonly Role[],
  choice: TableChoice,
): Description {
  const { columns, missingWords, time } = survey;
  const reference = referenceIn(survey, dialect);
  const features = featuresIn(survey, dialect, roles);
  const label = roles.indexOf("label");
  const { names, nominals, rate: _rate, spareNames: _spare, ...written } = dialect;
  const classes = nominals?.get(columns[label]?.name) ?? distinctLabels(columns[label]?.classes ?? []);
  const areNames = columns[label]?.words > 0 || columns[label]?.hasCodes;
  const areNamed = areNames && classes.length >= 2 && classes.length <= CLASSES_MAX;
  return {
    ...bare(format, choice),
    ...((format === "csv" || format === "class-files") && written),
    ...keys,
    ...(names && { names }),
    ...(missingWords.length > 0 && { missingWords }),
    ...(time && typeof keys.time !== "object" && { time: timeReference(time, reference) }),
    ...(time?.found.unit && { timeUnit: keys.timeUnit ?? time.found.unit }),
    ...(time?.found.dateOrder && { dateOrder: time.found.dateOrder }),
    ...(time?.found.zone && { zone: time.found.zone }),
    ...cellForms(survey, roles, reference),
    ...(features.length > 0 && { features }),
    label: label < 0 ? false : reference(label),
    ...(areNamed && { classes }),
  };
}

/** The columns of features and labels whose cells hold more than a number. */
function cellForms(
  { columns }: Survey,
  roles: readonly Role[],
  reference: (at: number) => string | number,
): Pick<Description, "units" | "booleans"> {
  const used = [...roles.keys()].filter((at) => roles[at] === "feature" || roles[at] === "label");
  const inUnits = used.filter((at) => columns[at].unit !== undefined);
  const booleans = used.filter((at) => roles[at] === "feature" && columns[at].isBoolean);
  return {
    ...(inUnits.length > 0 && {
      units: Object.fromEntries(inUnits.map((at) => [reference(at), columns[at].unit as string])),
    }),
    ...(booleans.length > 0 && { booleans: booleans.map(reference) }),
  };
}

export function featuresIn(survey: Survey, dialect: Dialect, roles: readonly Role[]): (string | number)[] {
  const reference = referenceIn(survey, dialect);
  return roles.flatMap((role, at) => (role === "feature" ? [reference(at)] : []));
}

/** How a description names a column: by its name, or by its number where the name may mean another. */
function referenceIn({ columns }: Survey, dialect: Dialect): (at: number) => string | number {
  const places = new Map<string, number>();
  for (const { name } of columns) places.set(name, (places.get(name) ?? 0) + 1);
  return (at) => {
    const { name } = columns[at];
    return hasNames(dialect) && places.get(name) === 1 && !/^(column )?\d+(-\d+)?$/.test(name)
      ? name
      : at + 1;
  };
}
