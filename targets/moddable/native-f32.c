/*
 * The primitives of f32.c as functions of XS, in the Moddable SDK (XS 17) and in the emulator (XS 13):
 * methods of an object whose first property is `words`, a Float32Array over the memory. Its bytes are a
 * chunk, which a collection moves: each call fetches the pointer, and nothing allocates while it is held. As
 * everywhere in C, offsets aren't checked. It reads the engine's slots, as the SDK's modules do, because the
 * public macros refuse a Float32Array.
 */
#include "xsAll.h"
#include "../../src/math/f32.h"
#include "../../src/selftest/self-test.h"
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

/* The number of elements of a Float32Array, or any other value's `length`. */
static double lengthOf(txMachine* the, txSlot* value) {
	if (wordsOf(value)) return value->value.reference->next->next->value.dataView.size >> 2;
	mxPushSlot(value);
	mxGetID(mxID(_length));
	double length = fxToNumber(the, the->stack);
	mxPop();
	return length;
}

/*
 * Copies argument i, if it has n elements, to the memory that `memory` finds. Usually it is a Float32Array;
 * any other value is read element by element, which may run any code.
 */
static int32_t takeTo(txMachine* the, float* (*memory)(txMachine*), int i, int32_t to, int32_t n) {
	if (mxArgc <= i) mxTypeError("too few arguments");
	float* x = wordsOf(mxArgv(i));
	if (x && mxArgv(i)->value.reference->next->next->value.dataView.size == 4 * n) {
		memmove(memory(the) + to, x, 4 * (size_t)n);
		return 1;
	}
	if (lengthOf(the, mxArgv(i)) != n) return 0;
	for (int32_t j = 0; j < n; j++) {
		mxPushSlot(mxArgv(i));
		mxGetIndex(j);
		float value = (float)fxToNumber(the, the->stack);
		mxPop();
		memory(the)[to + j] = value;
	}
	return 1;
}

static int32_t take(txMachine* the, int32_t to, int32_t n) {
	return takeTo(the, memoryOf, 1, to, n);
}

static int32_t load(txMachine* the) {
	int32_t to = whole(the, 0), n = whole(the, 2);
	return take(the, to, n) && f32_finite(memoryOf(the), to, n);
}

static double gaussianExpansion(txMachine* the) {
	int32_t to = whole(the, 0), d = whole(the, 4);
	if (!take(the, to, d < 0 ? -d : d)) return NAN;
	return f32_gaussian_expansion(memoryOf(the), to, whole(the, 2), whole(the, 3), d, real(the, 5), whole(the, 6), whole(the, 7), real(the, 8));
}

static double localDecision(txMachine* the) {
	int32_t to = whole(the, 0), d = whole(the, 4);
	if (!take(the, to, d < 0 ? -d : d)) return NAN;
	return f32_local_decision(memoryOf(the), to, whole(the, 2), whole(the, 3), d, whole(the, 5));
}

/* The bytes of a Uint8Array, which may lie outside the memory. */
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

/*
 * A bound call is a function whose closure is an ArrayBuffer with its f32_bound; the buffer has the memory's
 * words as a property, so that XS marks them with it.
 */
static txSlot* wordsOfBound(txSlot* buffer) {
	txSlot* slot = buffer->next;
	while (slot && slot->flag & XS_INTERNAL_FLAG) slot = slot->next;
	return slot;
}

static txSlot* boundBuffer(txMachine* the) {
	return mxFunction->value.reference->next->value.callback.closures;
}

static const f32_bound* bound(txMachine* the) {
	return (const f32_bound*)boundBuffer(the)->next->value.arrayBuffer.address;
}

static float* boundMemory(txMachine* the) {
	return wordsOf(wordsOfBound(boundBuffer(the)));
}

static int32_t takeBound(txMachine* the) {
	int32_t d = bound(the)->d;
	return takeTo(the, boundMemory, 0, bound(the)->x, d < 0 ? -d : d);
}

/* The method behind `words`, called on the same object with the same arguments. */
static void callOtherwise(txMachine* the, txSlot* method, int32_t given) {
	mxPushSlot(mxThis);
	mxPushSlot(method);
	mxCall();
	for (int32_t i = 0; i < given; i++) mxPushSlot(mxArgv(i));
	mxRunCount(given);
	mxPullSlot(mxResult);
}

static void boundExpansion(txMachine* the) {
	if (!takeBound(the)) giveNumber(the, NAN);
	else if (f32_is_ready(boundMemory(the), bound(the))) giveNumber(the, f32_bound_expansion(boundMemory(the), bound(the)));
	else callOtherwise(the, wordsOfBound(boundBuffer(the))->next, 1);
}

static void boundClasses(txMachine* the) {
	if (!takeBound(the)) giveNumber(the, NAN);
	else if (f32_is_ready(boundMemory(the), bound(the))) giveNumber(the, f32_bound_classes(boundMemory(the), bound(the)));
	else callOtherwise(the, wordsOfBound(boundBuffer(the))->next, 1);
}

static void boundLocal(txMachine* the) {
	giveNumber(the, takeBound(the) ? f32_bound_local(boundMemory(the), bound(the)) : NAN);
}

typedef double (*learning)(float*, const f32_bound*, int32_t, double);

static void learnUnlessOtherwise(txMachine* the, learning learn) {
	double y = real(the, 1);
	if (!f32_is_routine(boundMemory(the), bound(the))) {
		callOtherwise(the, wordsOfBound(boundBuffer(the))->next->next, 2);
		return;
	}
	int32_t taken = takeBound(the);
	giveNumber(the, learn(boundMemory(the), bound(the), taken, y));
}

static void boundExpansionStep(txMachine* the) {
	learnUnlessOtherwise(the, f32_learn_expansion);
}

static void boundClassStep(txMachine* the) {
	learnUnlessOtherwise(the, f32_learn_classes);
}

static void boundLocalStep(txMachine* the) {
	double y = real(the, 1);
	int32_t taken = takeBound(the);
	giveNumber(the, f32_learn_local(boundMemory(the), bound(the), taken, y));
}

/* A function of so many arguments, which makes that call with argument 0: what boundArguments made. */
static void bindCall(txMachine* the, txCallback call, int32_t length) {
	txSlot* buffer = mxArgc > 0 && mxArgv(0)->kind == XS_REFERENCE_KIND ? mxArgv(0)->value.reference : NULL;
	if (!buffer || !buffer->next || buffer->next->kind != XS_ARRAY_BUFFER_KIND || !wordsOfBound(buffer) || !wordsOf(wordsOfBound(buffer)))
		mxTypeError("bind: no arguments");
	txSlot* function = fxNewHostFunction(the, call, length, XS_NO_ID, XS_NO_ID);
	function->next->value.callback.closures = mxArgv(0)->value.reference;
	mxPullSlot(mxResult);
}

#define W(i) whole(the, i)
#define R(i) real(the, i)
/* The self-test, whose hashes are a Uint32Array: one for each primitive, and one more. */
static void testBatch(txMachine* the) {
	int32_t at = whole(the, 0), first = whole(the, 1);
	txSlot* array = mxArgc > 2 && mxArgv(2)->kind == XS_REFERENCE_KIND ? mxArgv(2)->value.reference->next : NULL;
	if (!array || array->kind != XS_TYPED_ARRAY_KIND || array->value.typedArray.dispatch->constructorID != mxID(_Uint32Array))
		mxTypeError("hashes: no Uint32Array");
	txSlot* view = array->next;
	txSlot* buffer = view->next->value.reference->next;
	if (view->value.dataView.size < 4 * (F32_PRIMITIVES + 1)) mxRangeError("hashes: too few");
	self_test_batch(memoryOf(the), at, first, (uint32_t*)(buffer->value.arrayBuffer.address + view->value.dataView.offset));
}

#define M memoryOf(the)
#define NATIVE(name, length, body) void motelearn_##name(txMachine* the) { body; }
F32_NATIVES(NATIVE)
F32_BIND(NATIVE)
F32_TESTS(NATIVE)
