import { type Notation, Notations } from "../../host/streams/notation.ts";
import { parseNumber } from "../../host/streams/numbers.ts";
import { parseQuantity } from "../../host/streams/quantity.ts";
import { isLoggers } from "./missing-words.ts";

/** The marks within a file's numbers; none for numbers with a point alone. */
export type Marks = Pick<Notation, "decimal" | "thousands">;

const POINT: Marks = {};
const COMMA: Marks = { decimal: "," };
const COMMAS: Marks = { thousands: "," };
const GROUPED: readonly Marks[] = [
  COMMAS,
  { decimal: ",", thousands: "." },
  { thousands: " " },
  { decimal: ",", thousands: " " },
  { thousands: "'" },
];

/** A number with zeros before it and a flag behind it, as NOAA writes a temperature and its quality: "+0012,1" isn't 12.1. */
const FLAGGED = /^[-+]?0\d+,\d+$/;

/** Numbers with a mark, and without, that show what the mark separates. */
const SHOWN_MIN = 3;

/**
 * The marks by which most of the fields are numbers, their units aside, the first of equals. Where commas separate fields, one before three digits
 * separates thousands; elsewhere, one does in a column that has lesser whole numbers, too.
 */
export function detectMarks(rows: readonly (readonly string[])[], separator: string): Marks {
  const bare = rows.map((fields) => fields.map((field) => parseQuantity(field)?.number ?? field));
  const usual = separator === "," ? [POINT, COMMAS, COMMA, ...GROUPED] : [POINT, COMMA, ...GROUPED];
  // A point between thousands goes with a decimal comma, which doesn't separate fields then.
  const mayGroup = (mark: string) => mark !== "." || separator !== ",";
  const haveFlags = separator === "," && bare.flat().some((field) => FLAGGED.test(field.trim()));
  const all = [
    ...GROUPED.filter(({ thousands = "" }) => mayGroup(thousands) && haveThousands(bare, thousands)),
    ...usual,
  ];
  const tried = haveFlags ? all.filter(({ decimal }) => decimal !== ",") : all;
  const counts = tried.map((marks) => numbersIn(bare.flat(), new Notations(marks)));
  return tried[counts.indexOf(Math.max(...counts))];
}

/** True if a column has numbers with three digits behind each such mark, whole ones below a thousand, hundreds among them, and no others; zero and what may be missing aside. */
function haveThousands(rows: readonly (readonly string[])[], mark: string): boolean {
  if (mark !== "," && mark !== ".") return false;
  const marked = mark === "," ? /^[-+]?[1-9]\d{0,2}(,\d{3})+$/ : /^[-+]?[1-9]\d{0,2}(\.\d{3})+$/;
  const width = Math.max(0, ...rows.map(({ length }) => length));
  return Array.from({ length: width }, (_, at) => rows.map((fields) => fields[at]?.trim() ?? "")).some(
    (column) => {
      const numbers = column.filter(
        (field) => /^[-+]?[\d.,]+$/.test(field) && field !== "0" && !isLoggers(field),
      );
      const grouped = numbers.filter((field) => marked.test(field)).length;
      const below = numbers.filter((field) => /^[-+]?\d{1,3}$/.test(field));
      const hundreds = below.filter((field) => /\d{3}$/.test(field)).length;
      return grouped >= SHOWN_MIN && hundreds >= SHOWN_MIN && grouped + below.length === numbers.length;
    },
  );
}

function numbersIn(fields: readonly string[], notation: Notations): number {
  return fields.filter((field) => !Number.isNaN(parseNumber(notation.usual(field)))).length;
}
