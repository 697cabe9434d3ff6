/*
 * The functions that gcc calls for division and for floating point on an lx106. An ESP8266 has them in its
 * ROM, so that Debian's libgcc hasn't. IEEE 754 with integers: it unpacks numbers, computes with more bits
 * than a double has, and rounds once, to nearest, ties to even. A sticky bit stands for everything below the
 * last bit.
 */
#include <stdint.h>

/* gcc's name for `*` of 64 bits. */
uint64_t __muldi3(uint64_t a, uint64_t b) {
  uint32_t al = (uint32_t)a, bl = (uint32_t)b, middle = (al >> 16) * (bl & 0xffff), other = (al & 0xffff) * (bl >> 16);
  uint32_t low = (al & 0xffff) * (bl & 0xffff), carry = (low >> 16) + (middle & 0xffff) + (other & 0xffff);
  uint32_t high = (al >> 16) * (bl >> 16) + (middle >> 16) + (other >> 16) + (carry >> 16);
  high += (uint32_t)(a >> 32) * bl + al * (uint32_t)(b >> 32);
  return (uint64_t)high << 32 | (carry << 16 | (low & 0xffff));
}

typedef enum { FINITE, INFINITE, NOT_A_NUMBER } kind;
/* m 2^exponent; bit HIGHEST is m's leading 1, unless m is 0. */
typedef struct {
  kind kind;
  int negative, exponent;
  uint64_t m;
} number;
enum { HIGHEST = 61 };

typedef struct {
  int fraction, exponent; /* bits */
} format;
static const format SINGLE = {23, 8}, DOUBLE = {52, 11};

static const number NONE = {NOT_A_NUMBER, 0, 0, 0}, ZERO = {FINITE, 0, 0, 0};

static uint64_t shifted(uint64_t m, int by) {
  if (by <= 0) return m;
  if (by > 63) return m != 0;
  return m >> by | (m << (64 - by) != 0);
}

static number normal(int negative, int exponent, uint64_t m) {
  number n = {FINITE, negative, exponent, m};
  if (m >> (HIGHEST + 1)) n.m = shifted(m, 2), n.exponent += 2;
  if (n.m != 0) {
    int up = __builtin_clzll(n.m) - (63 - HIGHEST);
    n.m <<= up, n.exponent -= up;
  }
  return n;
}

static number apart(uint64_t bits, format f) {
  int negative = bits >> (f.fraction + f.exponent) & 1, all = (1 << f.exponent) - 1;
  int biased = bits >> f.fraction & all, lowest = 1 - all / 2 - f.fraction;
  uint64_t one = 1ull << f.fraction, fraction = bits & (one - 1);
  number special = {fraction ? NOT_A_NUMBER : INFINITE, negative, 0, 0};
  if (biased == all) return special;
  return biased ? normal(negative, lowest + biased - 1, one | fraction) : normal(negative, lowest, fraction);
}

static uint64_t together(number n, format f) {
  int all = (1 << f.exponent) - 1, biased = n.exponent + HIGHEST + all / 2, drop = HIGHEST - f.fraction;
  uint64_t sign = (uint64_t)n.negative << (f.fraction + f.exponent), infinite = (uint64_t)all << f.fraction, m;
  if (n.kind == NOT_A_NUMBER) return infinite | 1ull << (f.fraction - 1);
  if (n.kind == INFINITE || (n.m != 0 && biased >= all)) return sign | infinite;
  if (biased < 1) drop += 1 - biased, biased = 1; /* subnormal */
  m = shifted(n.m, drop - 2);
  m = (m >> 2) + ((m & 3) == 3 || (m & 7) == 6);
  /* The leading bit of m, implicit in the format, adds 1 to the exponent; so does a carry. */
  return n.m == 0 ? sign : sign | (((uint64_t)(biased - 1) << f.fraction) + m);
}

static number sum(number a, number b) {
  if (a.kind == NOT_A_NUMBER || b.kind == NOT_A_NUMBER) return NONE;
  if (a.kind == INFINITE) return b.kind == INFINITE && a.negative != b.negative ? NONE : a;
  if (b.kind == INFINITE) return b;
  if (a.m == 0) return b.m == 0 && a.negative != b.negative ? ZERO : b;
  if (b.m == 0) return a;
  if (a.exponent < b.exponent || (a.exponent == b.exponent && a.m < b.m)) return sum(b, a);
  b.m = shifted(b.m, a.exponent - b.exponent);
  if (a.negative == b.negative) return normal(a.negative, a.exponent, a.m + b.m);
  return a.m == b.m ? ZERO : normal(a.negative, a.exponent, a.m - b.m);
}

static number negated(number n) {
  n.negative = !n.negative;
  return n;
}

static number product(number a, number b) {
  uint64_t ah = a.m >> 32, al = (uint32_t)a.m, bh = b.m >> 32, bl = (uint32_t)b.m;
  uint64_t middle = (al * bl >> 32) + (uint32_t)(ah * bl) + (uint32_t)(al * bh);
  uint64_t high = ah * bh + (ah * bl >> 32) + (al * bh >> 32) + (middle >> 32);
  number infinite = {INFINITE, a.negative != b.negative, 0, 0};
  if (a.kind == NOT_A_NUMBER || b.kind == NOT_A_NUMBER) return NONE;
  if (a.kind || b.kind) return (a.kind || a.m != 0) && (b.kind || b.m != 0) ? infinite : NONE;
  return normal(infinite.negative, a.exponent + b.exponent + 64, high | ((uint32_t)(al * bl) != 0 || (uint32_t)middle != 0));
}

static number quotient(number a, number b) {
  number infinite = {INFINITE, a.negative != b.negative, 0, 0};
  uint64_t bits = 0, rest = a.m;
  if (a.kind == NOT_A_NUMBER || b.kind == NOT_A_NUMBER || (a.kind && b.kind)) return NONE;
  if (a.kind) return infinite;
  if (b.kind) return normal(infinite.negative, 0, 0);
  if (b.m == 0) return a.m == 0 ? NONE : infinite;
  for (int i = 0; i <= HIGHEST; i++, rest <<= 1) {
    bits <<= 1;
    if (rest >= b.m) rest -= b.m, bits |= 1;
  }
  return normal(infinite.negative, a.exponent - b.exponent - HIGHEST, bits | (rest != 0));
}

typedef union {
  float value;
  uint32_t bits;
} single;
typedef union {
  double value;
  uint64_t bits;
} twice;

static number of_single(float x) { return apart(((single){.value = x}).bits, SINGLE); }
static number of_double(double x) { return apart(((twice){.value = x}).bits, DOUBLE); }
static float to_single(number n) { return ((single){.bits = (uint32_t)together(n, SINGLE)}).value; }
static double to_double(number n) { return ((twice){.bits = together(n, DOUBLE)}).value; }
static number of_whole(int32_t n) { return normal(n < 0, 0, n < 0 ? -(uint32_t)n : (uint32_t)n); }

float __addsf3(float a, float b) { return to_single(sum(of_single(a), of_single(b))); }
float __subsf3(float a, float b) { return to_single(sum(of_single(a), negated(of_single(b)))); }
float __mulsf3(float a, float b) { return to_single(product(of_single(a), of_single(b))); }
float __divsf3(float a, float b) { return to_single(quotient(of_single(a), of_single(b))); }
double __adddf3(double a, double b) { return to_double(sum(of_double(a), of_double(b))); }
double __subdf3(double a, double b) { return to_double(sum(of_double(a), negated(of_double(b)))); }
double __muldf3(double a, double b) { return to_double(product(of_double(a), of_double(b))); }
double __divdf3(double a, double b) { return to_double(quotient(of_double(a), of_double(b))); }
double __extendsfdf2(float x) { return to_double(of_single(x)); }
float __truncdfsf2(double x) { return to_single(of_double(x)); }
float __floatsisf(int32_t n) { return to_single(of_whole(n)); }
double __floatsidf(int32_t n) { return to_double(of_whole(n)); }
float __floatunsisf(uint32_t n) { return to_single(normal(0, 0, n)); }
double __floatunsidf(uint32_t n) { return to_double(normal(0, 0, n)); }

uint32_t __udivsi3(uint32_t a, uint32_t b) {
  uint32_t bits = 0, rest = 0;
  for (int i = 31; i >= 0; i--) {
    rest = rest << 1 | (a >> i & 1);
    if (rest >= b) rest -= b, bits |= 1u << i;
  }
  return bits;
}
uint32_t __umodsi3(uint32_t a, uint32_t b) { return a - b * __udivsi3(a, b); }
int32_t __divsi3(int32_t a, int32_t b) {
  uint32_t bits = __udivsi3(a < 0 ? -(uint32_t)a : (uint32_t)a, b < 0 ? -(uint32_t)b : (uint32_t)b);
  return (int32_t)((a < 0) != (b < 0) ? -bits : bits);
}
