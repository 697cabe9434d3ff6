/*
 * The primitives of primitives.ts in C: the same bits, on a device, in WebAssembly and on a host. What each does stands in
 * `Primitives`. m is the memory, everything else an offset in words; a double is rounded to float32 first; a function
 * that returns int32_t for a boolean returns 0 or 1; f32_crc32 takes bytes, wherever they lie. Ranges that are read don't overlap `out`.
 */
#ifndef MOTELEARN_F32_H
#define MOTELEARN_F32_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Generated from f32.c by `npm run build:wasm`, to the next empty line. Don't edit. */
#define F32_PRIMITIVES 60
uint32_t f32_crc32(const uint8_t *bytes, int32_t from, int32_t to, uint32_t before);
int32_t f32_finite(const float *m, int32_t a, int32_t n);
float f32_dot(const float *m, int32_t a, int32_t b, int32_t n);
int32_t f32_add_scaled(float *m, int32_t y, double s, int32_t x, int32_t n);
void f32_scale(float *m, int32_t x, double s, int32_t n);
void f32_copy(float *m, int32_t to, int32_t from, int32_t n);
int32_t f32_argmin(const float *m, int32_t a, int32_t n);
int32_t f32_argmin_magnitude(const float *m, int32_t a, int32_t n);
int32_t f32_oldest(const float *m, int32_t b, uint32_t now, int32_t n);
int32_t f32_stalest(const float *m, int32_t last, int32_t uses, uint32_t now, uint32_t after, int32_t n);
void f32_store_row(float *m, int32_t rows, int32_t i, int32_t x, int32_t d);
void f32_fetch_row(float *m, int32_t x, int32_t rows, int32_t i, int32_t d);
void f32_store_column(float *m, int32_t rows, int32_t j, int32_t x, int32_t n, int32_t d);
int32_t f32_add_scaled_row(float *m, int32_t rows, int32_t i, double s, int32_t x, int32_t d);
int32_t f32_move_row_towards(float *m, int32_t rows, int32_t i, double s, int32_t x, int32_t d);
void f32_inner_products(float *m, int32_t out, int32_t rows, int32_t x, int32_t n, int32_t d);
void f32_block_products(float *m, int32_t out, int32_t rows, int32_t x, int32_t slot, int32_t n, int32_t size, int32_t d, int32_t k);
void f32_squared_distances(float *m, int32_t out, int32_t rows, int32_t x, int32_t n, int32_t d);
void f32_gaussian_row(float *m, int32_t out, int32_t rows, int32_t x, int32_t n, int32_t d, double gamma);
void f32_polynomial_row(float *m, int32_t out, int32_t rows, int32_t x, int32_t n, int32_t d, double offset, int32_t degree);
double f32_gaussian_expansion(float *m, int32_t x, int32_t set, int32_t capacity, int32_t d, double gamma, int32_t rule, int32_t term, double scale);
void f32_insert_vector(float *m, int32_t set, int32_t capacity, int32_t d, int32_t x, double a);
void f32_remove_vector(float *m, int32_t set, int32_t capacity, int32_t d, int32_t i);
void f32_remove_vector_in_order(float *m, int32_t set, int32_t capacity, int32_t d, int32_t i);
void f32_step_expansion(float *m, int32_t set, int32_t capacity, int32_t d, double keep, int32_t x, double a, int32_t leaving, double threshold, int32_t counts, double gamma);
int32_t f32_nearest_row(float *m, int32_t out, int32_t rows, int32_t x, int32_t n, int32_t d);
int32_t f32_nearest_bytes(float *m, int32_t out, int32_t rows, int32_t x, int32_t n, int32_t w, int32_t k);
int32_t f32_merge_nearest(float *m, int32_t out, int32_t rows, int32_t coefficients, int32_t n, int32_t d, int32_t x, double a, double gamma);
double f32_class_scores(float *m, int32_t to, int32_t set, int32_t capacity, int32_t d, int32_t k, double scale);
void f32_class_step(float *m, int32_t to, int32_t set, int32_t capacity, int32_t d, int32_t k, int32_t y, double gamma, double self, double keep, double size, double level, double most, int32_t ties, int32_t leaving, double threshold, int32_t counts);
void f32_fourier_features(float *m, int32_t out, int32_t rows, int32_t x, int32_t n, int32_t d);
void f32_hinge_step(float *m, int32_t to, int32_t y, int32_t f, int32_t slot, int32_t n, int32_t size, double margin, double step);
void f32_agreement_step(float *m, int32_t to, int32_t p, int32_t v, int32_t u, int32_t slot, int32_t n, int32_t size, double step);
void f32_agree(float *m, int32_t v, int32_t u, int32_t p, int32_t n, int32_t agents, int32_t stride);
double f32_aggressiveness(float *m, int32_t at, double y, double f, int32_t k);
double f32_local_decision(float *m, int32_t to, int32_t set, int32_t most, int32_t form, int32_t k);
int32_t f32_local_step(float *m, int32_t to, int32_t set, int32_t most, int32_t form, int32_t k, double y, double share, double C, int32_t before);
int32_t f32_window_statistics(float *m, int32_t to, int32_t ring, int32_t place, int32_t n, int32_t size);
int32_t f32_standardise(float *m, int32_t s, int32_t x, int32_t d, int32_t horizon, int32_t stepAfter);
int32_t f32_centre(float *m, int32_t to, int32_t x, int32_t n);
void f32_taper(float *m, int32_t x, int32_t n);
void f32_fourier_transform(float *m, int32_t x, int32_t n);
float f32_goertzel(const float *m, int32_t x, int32_t n, double c);
void f32_symmetric_product(float *m, int32_t out, int32_t s, int32_t x, int32_t n);
int32_t f32_symmetric_rank_one(float *m, int32_t s, double b, int32_t v, int32_t n);
void f32_diagonal_product(float *m, int32_t out, int32_t s, int32_t x, int32_t n);
int32_t f32_diagonal_rank_one(float *m, int32_t s, double b, int32_t v, int32_t n);
int32_t f32_cholesky(float *m, int32_t a, int32_t n);
void f32_solve_lower(float *m, int32_t l, int32_t x, int32_t n);
void f32_solve_lower_transposed(float *m, int32_t l, int32_t x, int32_t n);
void f32_delete_factor_row(float *m, int32_t l, int32_t n, int32_t i, int32_t b, int32_t r);
void f32_solve_unit_lower(float *m, int32_t to, int32_t l, int32_t x, int32_t n, int32_t from);
void f32_solve_unit_lower_transposed(float *m, int32_t to, int32_t order, int32_t l, int32_t x, int32_t n);
void f32_pivot_product(float *m, int32_t out, int32_t l, int32_t x, int32_t n);
float f32_delete_unit_factor_row(float *m, int32_t l, int32_t n, int32_t p, int32_t b, int32_t s);
float f32_exp(double input);
float f32_log(double input);
float f32_cos(double input);
float f32_sin(double input);

/*
 * What a call is bound to, and the calls: see `bind` of primitives.ts, and src/math/bound.ts, which writes it. The vector lies at x; `taken`
 * is 0 where it didn't come with d components. A learn returns the decision.
 */
typedef struct {
  double gamma, scale, threshold, keep, a, b, c;
  int32_t x, set, capacity, d, rule, term, leaving, counts, step, word, more, flags, width, errors;
} f32_bound;

enum { F32_OLK_C, F32_NORMA_C, F32_NORMA_R, F32_NORMA_N, F32_BSGD, F32_DUAL };
enum { F32_BIAS = 1 };
enum { F32_FORGET = 1, F32_BOUNDED = 2, F32_GREEDY = 4, F32_CLASSES = 8 };

/* True if the Gaussian has a width: gamma where it is more than 0, else that of sigma in the word `width`, which is 0 until it is found. */
int32_t f32_is_ready(const float *m, const f32_bound *b);
/* True if the next label is one that f32_learn_expansion learns: any if gamma is given; else none at which WidthProbe does more than to count. */
int32_t f32_is_routine(const float *m, const f32_bound *b);
double f32_bound_expansion(float *m, const f32_bound *b);
double f32_bound_local(float *m, const f32_bound *b);
double f32_bound_classes(float *m, const f32_bound *b);
double f32_learn_expansion(float *m, const f32_bound *b, int32_t taken, double y);
double f32_learn_local(float *m, const f32_bound *b, int32_t taken, double y);
double f32_learn_classes(float *m, const f32_bound *b, int32_t taken, double y);

#ifdef __cplusplus
}
#endif

#endif
