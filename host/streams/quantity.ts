/** A number with a unit, a percent sign or a currency; "04. Ward" is none. */
interface Quantity {
  /** The number as it is written, its sign first. */
  readonly number: string;
  readonly unit: string;
}

const SIGN = "[-+\u2212]?";
const CURRENCY = "[€$£¥]|(?:EUR|USD|GBP|CHF|JPY|CNY|INR|SEK|NOK|DKK|PLN|CAD|AUD)(?=\\s)";
const DIGITS = "(?!0\\d)[.,]?\\d[\\d.,'’ \u00a0\u2009\u202f]*?(?:[eE][-+]?\\d+)?";
/** One word or two: "kWh", "1/min", "in Hg"; "^C" and "*C" stand for "°C"; two digits in a row are of a name. */
const UNIT = "(?:(?<=\\s)1/)?(?!\\S*\\d\\d)(?:[*^]\\p{L}|[\\p{L}%‰°€$£¥])[^\\s:]*(?:\\s[^\\s:\\d]+)?";
const QUANTITY = new RegExp(`^(${SIGN})\\s*(${CURRENCY})?\\s*(${SIGN}${DIGITS})\\s*(${UNIT})?$`, "u");
const LENGTH_MAX = 40;

/**
 * The number and the unit in a field; undefined for any other.
 *
 *     parseQuantity("-$1,200.50") // { number: "-1,200.50", unit: "$" }
 */
export function parseQuantity(field: string): Quantity | undefined {
  const [, sign = "", before = "", digits, behind = ""] =
    (field.length <= LENGTH_MAX && QUANTITY.exec(field.trim())) || [];
  const unit = before || behind;
  if (digits === undefined || unit === "" || (before && behind)) return undefined;
  return { number: `${sign}${digits}`.replace("\u2212", "-"), unit };
}

const PREFIXED = /^[numµμkMG]?(V|A|VA|W|Wh|Hz|Pa|bar|g|m|s|l|L|N|Nm|J|cal|Ω|ohm|B|lx)$/;
const OTHERS =
  /^([%‰€$£¥KCFhdt]|(°|[dD]eg)\s?[CFK]|(EUR|USD|GBP|CHF)|min|sec|rpm|1\/min|psi|atm|mmHg|inHg|in Hg|hPa|dBm?|ppm|ppb|lux|cm|in|ft|mph|kn|km\/h|[cm]?m\/s|m\/s[2²]|c?m[23²³]|[lL]\/(min|h|s)|m[3³]\/h|µg\/m[3³])$/;
/** Units that are written out. */
const WORDS =
  /^((milli|micro|kilo)?(volt|amp(ere)?|watt|second|pascal|hertz|met(er|re)|gram)s?|percent|celsius|fahrenheit|kelvin)$/i;

/** True for a unit that is in wide use. */
export function isKnownUnit(unit: string): boolean {
  return PREFIXED.test(unit) || OTHERS.test(unit) || WORDS.test(unit);
}
