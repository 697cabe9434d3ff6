/** Powers of ten that a double holds exactly. */
const POWERS = Float64Array.from({ length: 23 }, (_, n) => Number(`1e${n}`));
const POWER_MAX = 22;
/** Digits that always fit 32 bits. */
const FEW_DIGITS = 9;
/** Digits that a double always holds exactly. */
const DIGITS_MAX = 15;

const MINUS = 0x2d;
const PLUS = 0x2b;
const POINT = 0x2e;
const ZERO = 0x30;
const NINE = ZERO + 9;
const LOWER_E = 0x65;

/**
 * Reads plain decimals out of a text's bytes in place, as `Number` would: a sign, digits, a point, a small
 * exponent. The first 15 digits and the power of ten are exact doubles, so that their one product or quotient
 * is rounded as it should be. Other decimals are left to other code.
 */
export class DecimalScanner {
  /** The number read, and the place behind it. */
  value = 0;
  end = 0;
  /** The first digits as a whole number, whether more follow, the power of ten, and the sign. */
  private digits = 0;
  private isCut = false;
  private power = 0;
  private isNegative = false;

  /** True if a plain decimal of at most 15 digits begins at that place. The caller judges what follows. */
  read(text: Uint8Array, from: number): boolean {
    if (!this.scan(text, from) || this.isCut) return false;
    this.value = this.applyPower(this.digits);
    return true;
  }

  /**
   * The same for a float32, with any number of digits. The value lies between the value of its first digits and
   * the next number of as many digits. Where both round to one float32, so does the value, since rounding
   * keeps the order.
   */
  readFloat32(text: Uint8Array, from: number): boolean {
    if (!this.scan(text, from)) return false;
    this.value = this.applyPower(this.digits);
    return !this.isCut || Math.fround(this.value) === Math.fround(this.applyPower(this.digits + 1));
  }

  private applyPower(digits: number): number {
    const { power } = this;
    const size = power < 0 ? digits / POWERS[-power] : digits * POWERS[power];
    return this.isNegative ? -size : size;
  }

  /** Most numbers have few digits and no exponent: whole numbers of 32 bits hold them. */
  private scan(text: Uint8Array, from: number): boolean {
    let at = from;
    let digit = text[at] - ZERO;
    const isNegative = digit === MINUS - ZERO;
    if (isNegative || digit === PLUS - ZERO) digit = text[++at] - ZERO;
    const first = at;
    let digits = 0;
    for (; digit >= 0 && digit <= 9; digit = text[++at] - ZERO) digits = (10 * digits + digit) | 0;
    let count = at - first;
    let power = 0;
    if (digit === POINT - ZERO) {
      const point = at;
      digit = text[++at] - ZERO;
      for (; digit >= 0 && digit <= 9; digit = text[++at] - ZERO) digits = (10 * digits + digit) | 0;
      power = point + 1 - at;
      count -= power;
    }
    this.isNegative = isNegative;
    if (count === 0) return false;
    if (count > FEW_DIGITS || ((digit + ZERO) | 0x20) === LOWER_E) return this.scanLong(text, first);
    this.end = at;
    this.digits = digits;
    this.isCut = false;
    this.power = power;
    return true;
  }

  /** Any number of digits, the sign being read. */
  private scanLong(text: Uint8Array, first: number): boolean {
    let at = first;
    let unit = text[at];
    let digits = 0;
    let power = 0;
    let count = 0;
    let isFraction = false;
    for (; ; unit = text[++at]) {
      if (unit >= ZERO && unit <= NINE) {
        const fits = count < DIGITS_MAX;
        if (fits) digits = 10 * digits + unit - ZERO;
        if (digits > 0) count++;
        if (fits && isFraction) power--;
        if (!fits && !isFraction) power++;
      } else if (unit === POINT && !isFraction) {
        isFraction = true;
      } else break;
    }
    this.end = at;
    if ((unit | 0x20) === LOWER_E) {
      const exponent = this.exponent(text, at + 1);
      if (exponent === undefined) return false;
      power += exponent;
    }
    this.digits = digits;
    this.isCut = count > DIGITS_MAX;
    this.power = power;
    return power >= -POWER_MAX && power <= POWER_MAX;
  }

  private exponent(text: Uint8Array, from: number): number | undefined {
    let at = from;
    let unit = text[at];
    const isNegative = unit === MINUS;
    if (isNegative || unit === PLUS) unit = text[++at];
    const first = at;
    let number = 0;
    for (; unit >= ZERO && unit <= NINE && at < first + 4; unit = text[++at])
      number = 10 * number + unit - ZERO;
    if (at === first || at === first + 4) return undefined;
    this.end = at;
    return isNegative ? -number : number;
  }
}
