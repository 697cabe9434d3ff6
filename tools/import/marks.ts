import { type Notation, Notations } from "../../host/streams/notation.ts";
import { parseNumber } from "../../host/streams/numbers.ts";
import { parseQuantity } from "../../host/streams/quantity.ts";

/** The marks within a file's numbers; none for numbers with a point alone. */
export type Marks = Pick<Notation, "decimal" | "thousands">;

const POINT: Marks = {};
const COMMA: Marks = { decimal: "," };
const GROUPED: readonly Marks[] = [
  { thousands: "," },
  { decimal: ",", thousands: "." },
  { thousands: " " },
  { decimal: ",", thousands: " " },
  { thousands: "'" },
];

/** The marks by which most of the fields are numbers, their units aside, the first of equals. Where commas separate fields, one before three digits separates thousands. */
export function detectMarks(fields: readonly string[], separator: string): Marks {
  const tried = separator === "," ? [POINT, ...GROUPED, COMMA] : [POINT, COMMA, ...GROUPED];
  const bare = fields.map((field) => parseQuantity(field)?.number ?? field);
  const counts = tried.map((marks) => numbersIn(bare, new Notations(marks)));
  return tried[counts.indexOf(Math.max(...counts))];
}

function numbersIn(fields: readonly string[], notation: Notations): number {
  return fields.filter((field) => !Number.isNaN(parseNumber(notation.usual(field)))).length;
}
