// exp, log, sin and cos as exact sequences of float32 operations. Every +, -, * and / below is rounded on its
// own (`f32`), so C `float` without contraction, in the same order, gives the same bits. Polynomials are
// minimax fits whose coefficients were rounded to float32 one after the other, with the rest refitted. The
// errors stated were measured over all 2^32 float32 inputs against the C library's double functions.

const f32 = Math.fround;

const ROUND = 12582912; // 0x1.8p+23: adding and subtracting it rounds to the nearest integer, ties to even

const LOG2E = 1.4426950216293335; // 0x1.715476p+0
const LN2_HI = 0.693145751953125; // 0x1.62e4p-1, 15 bits: n * LN2_HI is exact
const LN2_LO = 1.428606765330187e-6; // 0x1.7f7d1cp-20

const EXP_MAX = 88.72283172607422; // 0x1.62e42ep+6, the last that doesn't overflow
const EXP_MIN = -103.97207641601562; // -0x1.9fe368p+6, the last that doesn't round to 0
const E0 = 0.5;
const E1 = 0.16666488349437714; // 0x1.555466p-3
const E2 = 0.04166555032134056; // 0x1.5552fep-5
const E3 = 0.008372345939278603; // 0x1.125854p-7
const E4 = 0.0014037565561011434; // 0x1.6ffc82p-10

const SQRT_HALF = 0x3f3504f3; // bits of 0x1.6a09e6p-1
const MIN_NORMAL = 1.1754943508222875e-38; // 0x1p-126
const L0 = 0.6666677594184875; // 0x1.55557ap-1
const L1 = 0.39977580308914185; // 0x1.995ed4p-2
const L2 = 0.29870927333831787; // 0x1.31e0d8p-2

const TRIG_MAX = 8192;
const TWO_OVER_PI = 0.6366197466850281; // 0x1.45f306p-1
const PI_2A = 1.5703125; // 0x1.92p+0, 8 bits: n * PI_2A is exact
const PI_2B = 0.0004837512969970703; // 0x1.fb4p-12, 10 bits: n * PI_2B is exact
const PI_2C = 7.549790126404332e-8; // 0x1.4442d2p-24
const S0 = -0.16666650772094727; // -0x1.55554p-3
const S1 = 0.008331982418894768; // 0x1.1105bcp-7
const S2 = -0.00019495941523928195; // -0x1.98dc0ap-13
const C0 = 0.04166664555668831; // 0x1.55554ap-5
const C1 = -0.00138873013202101; // -0x1.6c0c1ap-10
const C2 = 2.4430670237052254e-5; // 0x1.99e0eep-16

export class Elementary {
  private readonly float = new Float32Array(1);
  private readonly bits = new Uint32Array(this.float.buffer);

  /**
   * e to the x. Largest error 0.909 ulp (at 0x1.dfe888p+5; 0.748 where the result is subnormal), so
   * never more than one float32 from the correctly rounded value, overflow included. Never falls as x grows, and
   * never passes 1 where x <= 0 (checked over all inputs). `input` is rounded to float32 first, in all methods.
   *
   *     NaN if x is NaN; Infinity if x > EXP_MAX; 0 if x < EXP_MIN; else
   *     n = (x * LOG2E + ROUND) - ROUND
   *     hi = x - n * LN2_HI;  lo = n * LN2_LO;  r = hi - lo
   *     q = E0 + r * (E1 + r * (E2 + r * (E3 + r * E4)))
   *     y = 1 + (hi + ((r * r) * q - lo))
   *     h = n >> 1 (floor);  result (y * 2^h) * 2^(n - h), where only the last product can round
   */
  exp(input: number): number {
    const x = f32(input);
    if (Number.isNaN(x)) return NaN;
    if (x > EXP_MAX) return Infinity;
    if (x < EXP_MIN) return 0;
    const n = f32(f32(f32(x * LOG2E) + ROUND) - ROUND);
    const hi = f32(x - f32(n * LN2_HI));
    const lo = f32(n * LN2_LO);
    const r = f32(hi - lo);
    let q = f32(E3 + f32(r * E4));
    q = f32(E2 + f32(r * q));
    q = f32(E1 + f32(r * q));
    q = f32(E0 + f32(r * q));
    const y = f32(1 + f32(hi + f32(f32(f32(r * r) * q) - lo)));
    const h = n >> 1;
    return f32(f32(y * this.power(h)) * this.power(n - h));
  }

  /**
   * Natural logarithm. Largest error 0.840 ulp (at 0x1.69cf3ep+0), so never more than one float32 from the
   * correctly rounded value, subnormal inputs included. Never falls as x grows (checked over all inputs).
   *
   *     NaN if x is NaN or x < 0; -Infinity if x = +-0; Infinity if x is; else
   *     k = 0;  if x < MIN_NORMAL: x = x * 2^25, k = -25
   *     split x = 2^e * m by its bits, c <= m < 2 * c, c being SQRT_HALF (exact);  k = k + e (integers)
   *     f = m - 1;  s = f / (2 + f);  z = s * s
   *     t = z * (L0 + z * (L1 + z * L2))
   *     h = (0.5 * f) * f
   *     low = s * (h + t) + k * LN2_LO
   *     result k * LN2_HI - ((h - low) - f)
   */
  log(input: number): number {
    let x = f32(input);
    if (!(x >= 0)) return NaN;
    if (x === 0) return -Infinity;
    if (x === Infinity) return Infinity;
    let k = 0;
    if (x < MIN_NORMAL) {
      x = f32(x * 33554432);
      k = -25;
    }
    this.float[0] = x;
    const b = this.bits[0] + 0x3f800000 - SQRT_HALF; // below 2^32
    k += (b >>> 23) - 127;
    this.bits[0] = (b & 0x7fffff) + SQRT_HALF;
    const f = f32(this.float[0] - 1);
    const s = f32(f / f32(2 + f));
    const z = f32(s * s);
    let t = f32(L1 + f32(z * L2));
    t = f32(L0 + f32(z * t));
    t = f32(z * t);
    const h = f32(f32(0.5 * f) * f);
    const low = f32(f32(s * f32(h + t)) + f32(k * LN2_LO));
    return f32(f32(k * LN2_HI) - f32(f32(h - low) - f));
  }

  /**
   * Sine for |x| <= 8192; anything else, NaN included, is refused with NaN. Largest absolute error
   * 9.39e-8 (at 0x1.069cdep+11). Never passes +-1; sin(-x) is -sin(x), bit for bit.
   *
   *     x if x = +-0; else, with j = 0,
   *     n = (x * TWO_OVER_PI + ROUND) - ROUND
   *     r = ((x - n * PI_2A) - n * PI_2B) - n * PI_2C;  z = r * r
   *     y = r + (r * z) * (S0 + z * (S1 + z * S2))              if n + j is even
   *     y = (1 - 0.5 * z) + (z * z) * (C0 + z * (C1 + z * C2))  if n + j is odd
   *     result -y if bit 1 of n + j (two's complement) is set, else y
   */
  sin(input: number): number {
    const x = f32(input);
    return x === 0 ? x : this.wave(x, 0);
  }

  /**
   * Cosine for |x| <= 8192; anything else, NaN included, is refused with NaN. Largest absolute error
   * 9.30e-8 (at 0x1.f44a32p+1). Never passes +-1; cos(-x) is cos(x), bit for bit.
   * The sequence is that of `sin` with j = 1, zero being no special case.
   */
  cos(input: number): number {
    return this.wave(f32(input), 1);
  }

  private wave(x: number, j: number): number {
    if (!(x >= -TRIG_MAX && x <= TRIG_MAX)) return NaN;
    const n = f32(f32(f32(x * TWO_OVER_PI) + ROUND) - ROUND);
    const r = f32(f32(f32(x - f32(n * PI_2A)) - f32(n * PI_2B)) - f32(n * PI_2C));
    const z = f32(r * r);
    const quadrant = n + j;
    let y: number;
    if (quadrant & 1) {
      y = f32(C1 + f32(z * C2));
      y = f32(C0 + f32(z * y));
      y = f32(f32(1 - f32(0.5 * z)) + f32(f32(z * z) * y));
    } else {
      y = f32(S1 + f32(z * S2));
      y = f32(S0 + f32(z * y));
      y = f32(r + f32(f32(r * z) * y));
    }
    return quadrant & 2 ? -y : y;
  }

  /** 2 to the k, for -126 <= k <= 127. */
  power(k: number): number {
    return this.toFloat((k + 127) << 23);
  }

  /** The number with those bits, and the bits of a number. */
  toFloat(bits: number): number {
    this.bits[0] = bits;
    return this.float[0];
  }

  toBits(float: number): number {
    this.float[0] = float;
    return this.bits[0];
  }
}
