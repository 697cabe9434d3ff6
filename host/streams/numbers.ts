const FLOAT32_MAX = 3.4028234663852886e38;

/** A sign that stands apart from its number, as loggers align them: "+  25.3"; a minus behind it, as SAP writes it: "25.3-". */
const APART = /^(\s*[-+])\s+(?=[\d.])/;
const BEHIND = /^\s*(\d[\d.]*)-\s*$/;
/** The minus, or the dash, of typographers before a number or in its exponent. */
const TYPED_MINUS = [/^(\s*)[\u2212\u2013](?=[\d.])/, /(\de)[\u2212\u2013](?=\d)/i];
/** Most other words begin otherwise. */
const MARKED = /^\s*[-+.\d\u2212\u2013]/;
/** An exponent as Fortran writes it in double precision: 0.2150D+02. */
const FORTRAN = /(\d\.?)D(?=[-+]\d+\s*$)/;

/**
 * The number a field holds, or NaN: decimal with an optional exponent, also Fortran's, blanks around it and behind its sign, a minus of
 * typographers, or one behind it; no hexadecimal, no empty field.
 */
export function parseNumber(text: string): number {
  const value = Number(text);
  if (Number.isNaN(value)) return withOtherMarks(text);
  if (value !== 0 && Number.isFinite(value)) return isDecimal(text) ? value : NaN;
  return value === 0 && text.trim() !== "" && isDecimal(text) ? value : NaN;
}

function withOtherMarks(text: string): number {
  if (!MARKED.test(text)) return Number.NaN;
  const [, behind] = BEHIND.exec(text) ?? [];
  if (behind !== undefined) return -Number(behind);
  const plain = withPlainMinus(text).replace(FORTRAN, "$1E").replace(APART, "$1");
  return plain === text ? Number.NaN : parseNumber(plain);
}

/** A field with a plain minus where it has another one before a number. */
export const withPlainMinus = (text: string) =>
  TYPED_MINUS.reduce((plain, minus) => plain.replace(minus, "$1-"), text);

/** A whole number with a minus behind it, as grades have it. */
const GRADE = /^\d+-$/;
/** Zeros before a whole number, or an exponent without a sign: a code, which no program writes of a number. */
const CODE = /^(0\d+|\d+[eE]\d+)$/;

/** The number that a label is, or NaN; "5-" names a class, unlike a reading. */
export const parseLabel = (text: string) => (GRADE.test(text.trim()) ? Number.NaN : parseNumber(text));

/** True for a text in digits that names something, and isn't how a number is written: 5-, 007, 1E3. */
export const isCode = (text: string) => GRADE.test(text) || CODE.test(text);

/** True for a text that begins as a number does, a date or a time of the day. */
export const beginsNumber = (text: string) => /^\s*[-+.\u2212\u2013]?\d/.test(text);

function isDecimal(text: string): boolean {
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i) | 0x20;
    if (unit === 0x78 || unit === 0x6f || unit === 0x62) return false; // x, o, b of 0x10, 0o7, 0b1
  }
  return true;
}

/** The message about a number that isn't finite as float32, and what would be right. */
export const BEYOND = "is beyond float32 (at most 3.4028235e38)";
export const WITHIN_NEEDED = "a smaller number is needed";

/** True if a field holds a number that isn't finite as float32. */
export function isBeyond(field: string): boolean {
  return /\d/.test(field) && isDecimal(field) && Math.abs(Number(field)) > FLOAT32_MAX;
}

/** Digits of a double that a product or a quotient keeps. */
const EXACT_DIGITS = 12;

/** A number for people, without the last digits that arithmetic spoils: 0.102341 of 0.10234099999999999. */
export const plainNumber = (exact: number) => Number(exact.toPrecision(EXACT_DIGITS));

/** True if the value is finite as a float32, as a sample's component must be. */
export function isFloat32(value: number): boolean {
  return Number.isFinite(Math.fround(value));
}
