/*
 * The primitives of primitives.ts in C: the same bits, on a device, in WebAssembly and on a host. What each does stands in
 * `Primitives`. m is the memory, everything else an offset in words; a double is rounded to float32 first; a function
 * that returns int32_t for a boolean returns 0 or 1. Ranges that are read don't overlap `out`.
 */
#ifndef MOTELEARN_F32_H
#define MOTELEARN_F32_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

int32_t f32_finite(const float *m, int32_t a, int32_t n);

float f32_dot(const float *m, int32_t a, int32_t b, int32_t n);
int32_t f32_add_scaled(float *m, int32_t y, double s, int32_t x, int32_t n);
void f32_scale(float *m, int32_t x, double s, int32_t n);
void f32_copy(float *m, int32_t to, int32_t from, int32_t n);
int32_t f32_argmin(const float *m, int32_t a, int32_t n);
int32_t f32_argmin_magnitude(const float *m, int32_t a, int32_t n);
int32_t f32_oldest(const float *m, int32_t b, uint32_t now, int32_t n);

void f32_store_row(float *m, int32_t rows, int32_t i, int32_t x, int32_t d);
void f32_fetch_row(float *m, int32_t x, int32_t rows, int32_t i, int32_t d);
void f32_store_column(float *m, int32_t rows, int32_t j, int32_t x, int32_t n, int32_t d);
float f32_dot_row(const float *m, int32_t rows, int32_t i, int32_t x, int32_t d);
int32_t f32_add_scaled_row(float *m, int32_t rows, int32_t i, double s, int32_t x, int32_t d);
int32_t f32_move_row_towards(float *m, int32_t rows, int32_t i, double s, int32_t x, int32_t d);

void f32_inner_products(float *m, int32_t out, int32_t rows, int32_t x, int32_t n, int32_t d);
void f32_squared_distances(float *m, int32_t out, int32_t rows, int32_t x, int32_t n, int32_t d);
void f32_gaussian_row(float *m, int32_t out, int32_t rows, int32_t x, int32_t n, int32_t d, double gamma);
void f32_polynomial_row(float *m, int32_t out, int32_t rows, int32_t x, int32_t n, int32_t d, double offset,
                        int32_t degree);

void f32_symmetric_product(float *m, int32_t out, int32_t s, int32_t x, int32_t n);
int32_t f32_symmetric_rank_one(float *m, int32_t s, double b, int32_t v, int32_t n);
int32_t f32_cholesky(float *m, int32_t a, int32_t n);
void f32_solve_lower(float *m, int32_t l, int32_t x, int32_t n);
void f32_solve_lower_transposed(float *m, int32_t l, int32_t x, int32_t n);
void f32_invert_factor(float *m, int32_t l, int32_t n);

float f32_exp(double x);
float f32_log(double x);
float f32_cos(double x);
float f32_sin(double x);

#ifdef __cplusplus
}
#endif

#endif
