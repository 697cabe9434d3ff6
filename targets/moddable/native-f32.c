/*
 * The primitives of f32.c as functions of XS, in the Moddable SDK (XS 17) and in the emulator (XS 13): methods of an object
 * whose first property is `words`, a Float32Array over the memory. Its bytes are a chunk, which moves at a collection: the
 * pointer is fetched at each call, and nothing here allocates while it is held. Offsets aren't checked, as nowhere in C.
 * By the engine's own slots, as the SDK's modules do it: the public macros refuse a Float32Array.
 */
#include "xsAll.h"
#include "../../src/math/f32.h"
#include "native-f32.h"

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

/* The number of elements of a Float32Array, or of anything else what it gives as its length. */
static double lengthOf(txMachine* the, txSlot* value) {
	if (wordsOf(value)) return value->value.reference->next->next->value.dataView.size >> 2;
	mxPushSlot(value);
	mxGetID(mxID(_length));
	double length = fxToNumber(the, the->stack);
	mxPop();
	return length;
}

/*
 * Copies argument 1, if it has n elements. It is a Float32Array as a rule; anything else that has elements is read one by
 * one, which may run any code.
 */
static int32_t take(txMachine* the, int32_t to, int32_t n) {
	if (lengthOf(the, mxArgv(1)) != n) return 0;
	float* x = wordsOf(mxArgv(1));
	if (x) memmove(memoryOf(the) + to, x, 4 * (size_t)n);
	else for (int32_t j = 0; j < n; j++) {
		mxPushSlot(mxArgv(1));
		mxGetIndex(j);
		float value = (float)fxToNumber(the, the->stack);
		mxPop();
		memoryOf(the)[to + j] = value;
	}
	return 1;
}

static int32_t load(txMachine* the) {
	int32_t to = whole(the, 0), n = whole(the, 2);
	return take(the, to, n) && f32_finite(memoryOf(the), to, n);
}

static float gaussianExpansion(txMachine* the) {
	int32_t to = whole(the, 0), d = whole(the, 4);
	if (!take(the, to, d)) return NAN;
	return f32_gaussian_expansion(memoryOf(the), to, whole(the, 2), whole(the, 3), d, real(the, 5));
}

/* Bytes are those of a Uint8Array, which may lie outside the memory. */
static uint32_t crc32(txMachine* the) {
	txSlot* array = mxArgc > 0 && mxArgv(0)->kind == XS_REFERENCE_KIND ? mxArgv(0)->value.reference->next : NULL;
	int32_t from = whole(the, 1), to = whole(the, 2);
	uint32_t before = (uint32_t)whole(the, 3);
	if (!array || array->kind != XS_TYPED_ARRAY_KIND || array->value.typedArray.dispatch->constructorID != mxID(_Uint8Array))
		mxTypeError("bytes: no Uint8Array");
	txSlot* view = array->next;
	txSlot* buffer = view->next->value.reference->next;
	if (from < 0 || to > view->value.dataView.size) mxRangeError("bytes: beyond their end");
	return f32_crc32((uint8_t*)buffer->value.arrayBuffer.address + view->value.dataView.offset, from, to, before);
}

#define W(i) whole(the, i)
#define R(i) real(the, i)
#define M memoryOf(the)
#define NATIVE(name, length, body) void motelearn_##name(txMachine* the) { body; }
F32_NATIVES(NATIVE)
