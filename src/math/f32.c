/*
 * The primitives in C float: see f32.h. One source for the device (XS native module), for WebAssembly (f32.wasm, by
 * dev/build-wasm.mjs) and for tests on the host. Bit for bit what f32.ts and elementary.ts do, in the same order.
 * Contraction is switched off in here, since a Moddable manifest can't add a compiler flag; gcc ignores the STDC pragma.
 */
#ifdef __clang__
#pragma STDC FP_CONTRACT OFF
#elif defined(__GNUC__)
#pragma GCC optimize("fp-contract=off")
#endif

#include "f32.h"

#ifdef __FAST_MATH__
#error "f32.c: -ffast-math changes the results"
#endif
#if !defined(__FLT_EVAL_METHOD__) || __FLT_EVAL_METHOD__ != 0
#error "f32.c: float must be evaluated as float (on 32-bit x86: -msse2 -mfpmath=sse)"
#endif

#define INLINE static inline __attribute__((always_inline))

INLINE uint32_t bits_of(float x) {
  uint32_t b;
  __builtin_memcpy(&b, &x, 4);
  return b;
}

INLINE float float_of(uint32_t b) {
  float x;
  __builtin_memcpy(&x, &b, 4);
  return x;
}

/* 1 if x is an infinity or NaN: in integers, which an FPU-less core does fast and a compiler turns into vectors. */
INLINE uint32_t beyond(float x) {
  return (bits_of(x) & 0x7f800000u) == 0x7f800000u;
}

#include "f32/elementary.h"
#include "f32/lanes.h"
#include "f32/vectors.h"
#include "f32/rows.h"
#include "f32/inner-products.h"
#include "f32/soft-sums.h"
#include "f32/q15-distances.h"
#include "f32/kernel-rows.h"
#include "f32/block-products.h"
#include "f32/support-sets.h"
#include "f32/shared-sets.h"
#include "f32/steps.h"
#include "f32/learners.h"
#include "f32/features.h"
#include "f32/waves.h"
#include "f32/matrices.h"
#include "f32/factors.h"
