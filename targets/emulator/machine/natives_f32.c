/*
 * `f32Natives`: the primitives of f32.c as functions of XS, called as methods of an object whose first property is `words`,
 * a Float32Array over the memory. Its bytes are a chunk, which moves at a collection: the pointer is fetched at each
 * call, and nothing here allocates while it is held. Offsets aren't checked, as nowhere in C.
 */
#include "machine.h"
#include "../../../src/math/f32.h"

/* The words of a Float32Array, or NULL. */
static float* wordsOf(txSlot* value) {
	txSlot *array, *view, *buffer;
	if (value->kind != XS_REFERENCE_KIND || !(array = value->value.reference->next)) return NULL;
	if (array->kind != XS_TYPED_ARRAY_KIND || array->value.typedArray.dispatch->constructorID != mxID(_Float32Array)) return NULL;
	view = array->next;
	buffer = view->next->value.reference->next;
	return (float*)(buffer->value.arrayBuffer.address + view->value.dataView.offset);
}

static float* memoryOf(txMachine* the) {
	txSlot* words = mxThis->kind == XS_REFERENCE_KIND ? mxThis->value.reference->next : NULL;
	float* memory = words ? wordsOf(words) : NULL;
	if (!memory) mxTypeError("this: no memory");
	return memory;
}

static double real(txMachine* the, int i) {
	txSlot* slot = mxArgv(i);
	if (mxArgc <= i) mxTypeError("too few arguments");
	if (slot->kind == XS_INTEGER_KIND) return slot->value.integer;
	return slot->kind == XS_NUMBER_KIND ? slot->value.number : fxToNumber(the, slot);
}

static int32_t whole(txMachine* the, int i) {
	txSlot* slot = mxArgv(i);
	if (mxArgc > i && slot->kind == XS_INTEGER_KIND) return slot->value.integer;
	return (int32_t)(int64_t)real(the, i); /* by int64_t: a count beyond 2^31 keeps its bits */
}

static void giveNumber(txMachine* the, double value) {
	mxResult->kind = XS_NUMBER_KIND;
	mxResult->value.number = value;
}

static void giveInteger(txMachine* the, int32_t value) {
	mxResult->kind = XS_INTEGER_KIND;
	mxResult->value.integer = value;
}

static void giveBoolean(txMachine* the, int32_t value) {
	mxResult->kind = XS_BOOLEAN_KIND;
	mxResult->value.boolean = value;
}

/* x is a Float32Array as a rule; anything else that has elements is read one by one, which may run any code. */
static void load(txMachine* the) {
	int32_t to = whole(the, 0), n = whole(the, 2);
	float* x = wordsOf(mxArgv(1));
	if (x) memmove(memoryOf(the) + to, x, 4 * (size_t)n);
	else for (int32_t j = 0; j < n; j++) {
		mxPushSlot(mxArgv(1));
		mxGetIndex(j);
		float value = (float)fxToNumber(the, the->stack);
		mxPop();
		memoryOf(the)[to + j] = value;
	}
	giveBoolean(the, f32_finite(memoryOf(the), to, n));
}

#define W(i) whole(the, i)
#define R(i) real(the, i)
#define M memoryOf(the)
#define PRIMITIVE(name, body) static void name(txMachine* the) { body; }

PRIMITIVE(finite_, giveBoolean(the, f32_finite(M, W(0), W(1))))
PRIMITIVE(dot, giveNumber(the, f32_dot(M, W(0), W(1), W(2))))
PRIMITIVE(addScaled, giveBoolean(the, f32_add_scaled(M, W(0), R(1), W(2), W(3))))
PRIMITIVE(scale, f32_scale(M, W(0), R(1), W(2)))
PRIMITIVE(copy, f32_copy(M, W(0), W(1), W(2)))
PRIMITIVE(argmin, giveInteger(the, f32_argmin(M, W(0), W(1))))
PRIMITIVE(argminMagnitude, giveInteger(the, f32_argmin_magnitude(M, W(0), W(1))))
PRIMITIVE(oldest, giveInteger(the, f32_oldest(M, W(0), (uint32_t)W(1), W(2))))
PRIMITIVE(storeRow, f32_store_row(M, W(0), W(1), W(2), W(3)))
PRIMITIVE(fetchRow, f32_fetch_row(M, W(0), W(1), W(2), W(3)))
PRIMITIVE(storeColumn, f32_store_column(M, W(0), W(1), W(2), W(3), W(4)))
PRIMITIVE(dotRow, giveNumber(the, f32_dot_row(M, W(0), W(1), W(2), W(3))))
PRIMITIVE(addScaledRow, giveBoolean(the, f32_add_scaled_row(M, W(0), W(1), R(2), W(3), W(4))))
PRIMITIVE(moveRowTowards, giveBoolean(the, f32_move_row_towards(M, W(0), W(1), R(2), W(3), W(4))))
PRIMITIVE(innerProducts, f32_inner_products(M, W(0), W(1), W(2), W(3), W(4)))
PRIMITIVE(squaredDistances, f32_squared_distances(M, W(0), W(1), W(2), W(3), W(4)))
PRIMITIVE(gaussianRow, f32_gaussian_row(M, W(0), W(1), W(2), W(3), W(4), R(5)))
PRIMITIVE(polynomialRow, f32_polynomial_row(M, W(0), W(1), W(2), W(3), W(4), R(5), W(6)))
PRIMITIVE(symmetricProduct, f32_symmetric_product(M, W(0), W(1), W(2), W(3)))
PRIMITIVE(symmetricRankOne, giveBoolean(the, f32_symmetric_rank_one(M, W(0), R(1), W(2), W(3))))
PRIMITIVE(cholesky, giveBoolean(the, f32_cholesky(M, W(0), W(1))))
PRIMITIVE(solveLower, f32_solve_lower(M, W(0), W(1), W(2)))
PRIMITIVE(solveLowerTransposed, f32_solve_lower_transposed(M, W(0), W(1), W(2)))
PRIMITIVE(invertFactor, f32_invert_factor(M, W(0), W(1)))
PRIMITIVE(exp_, giveNumber(the, f32_exp(R(0))))
PRIMITIVE(log_, giveNumber(the, f32_log(R(0))))
PRIMITIVE(cos_, giveNumber(the, f32_cos(R(0))))
PRIMITIVE(sin_, giveNumber(the, f32_sin(R(0))))

const HostFunction f32_functions[] = {
	{ "load", load, 3 },
	{ "finite", finite_, 2 },
	{ "dot", dot, 3 },
	{ "addScaled", addScaled, 4 },
	{ "scale", scale, 3 },
	{ "copy", copy, 3 },
	{ "argmin", argmin, 2 },
	{ "argminMagnitude", argminMagnitude, 2 },
	{ "oldest", oldest, 3 },
	{ "storeRow", storeRow, 4 },
	{ "fetchRow", fetchRow, 4 },
	{ "storeColumn", storeColumn, 5 },
	{ "dotRow", dotRow, 4 },
	{ "addScaledRow", addScaledRow, 5 },
	{ "moveRowTowards", moveRowTowards, 5 },
	{ "innerProducts", innerProducts, 5 },
	{ "squaredDistances", squaredDistances, 5 },
	{ "gaussianRow", gaussianRow, 6 },
	{ "polynomialRow", polynomialRow, 7 },
	{ "symmetricProduct", symmetricProduct, 4 },
	{ "symmetricRankOne", symmetricRankOne, 4 },
	{ "cholesky", cholesky, 2 },
	{ "solveLower", solveLower, 3 },
	{ "solveLowerTransposed", solveLowerTransposed, 3 },
	{ "invertFactor", invertFactor, 2 },
	{ "exp", exp_, 1 },
	{ "log", log_, 1 },
	{ "cos", cos_, 1 },
	{ "sin", sin_, 1 },
	{ NULL },
};
