/*
 * The functions of ledger.c as methods of an object whose first two properties are `bits`, a Uint32Array over
 * a node's memory, and `at`, the word at which the ledger lies. Its bytes are a chunk, which a collection
 * moves: while a pointer is held, nothing allocates except a throw. For the engine's slots see native-f32.c.
 */
#include "xsAll.h"
#include "../../src/node/ledger.h"
#include "native-ledger.h"

typedef struct {
	uint32_t* words;
	int32_t size, at;
} Ledger;

static Ledger ledgerOf(txMachine* the) {
	txSlot* bits = mxThis->kind == XS_REFERENCE_KIND ? mxThis->value.reference->next : NULL;
	txSlot* array = bits && bits->kind == XS_REFERENCE_KIND ? bits->value.reference->next : NULL;
	txSlot* at = bits ? bits->next : NULL;
	if (!array || array->kind != XS_TYPED_ARRAY_KIND || !at || (at->kind != XS_INTEGER_KIND && at->kind != XS_NUMBER_KIND))
		mxTypeError("this: no ledger");
	txSlot* view = array->next;
	txSlot* buffer = view->next->value.reference->next;
	Ledger ledger = {
		(uint32_t*)((uint8_t*)buffer->value.arrayBuffer.address + view->value.dataView.offset),
		view->value.dataView.size / 4,
		at->kind == XS_INTEGER_KIND ? at->value.integer : (int32_t)at->value.number,
	};
	return ledger;
}

static double real(txMachine* the, int i) {
	if (mxArgc <= i) mxTypeError("too few arguments");
	txSlot* slot = mxArgv(i);
	if (slot->kind == XS_INTEGER_KIND) return slot->value.integer;
	if (slot->kind != XS_NUMBER_KIND) mxTypeError("argument: no number");
	return slot->value.number;
}

static uint32_t whole(txMachine* the, int i) {
	if (mxArgc > i && mxArgv(i)->kind == XS_INTEGER_KIND) return (uint32_t)mxArgv(i)->value.integer;
	double value = real(the, i);
	if (!(value >= 0 && value <= 4294967295.0)) mxRangeError("argument: no word");
	return (uint32_t)value;
}

static int32_t checked(txMachine* the, int32_t result) {
	if (result < 0) mxRangeError("ledger: beyond the memory");
	return result;
}

static void giveWord(txMachine* the, uint32_t word) {
	if (word <= 0x7fffffff) {
		mxResult->kind = XS_INTEGER_KIND;
		mxResult->value.integer = (txInteger)word;
	} else {
		mxResult->kind = XS_NUMBER_KIND;
		mxResult->value.number = word;
	}
}

static void push(txMachine* the) {
	Ledger ledger = ledgerOf(the);
	uint32_t number = 0;
	checked(the, ledger_push(ledger.words, ledger.size, ledger.at, &number));
	giveWord(the, number);
}

static void take(txMachine* the) {
	uint32_t number = whole(the, 0), sid = whole(the, 1), seq = whole(the, 2), origin = whole(the, 4);
	float y = (float)real(the, 3);
	Ledger ledger = ledgerOf(the);
	giveWord(the, (uint32_t)checked(the, ledger_take(ledger.words, ledger.size, ledger.at, number, sid, seq, y, origin)));
}

static void finish(txMachine* the) {
	uint32_t number = whole(the, 0), status = whole(the, 1);
	int32_t mistaken = mxArgc > 2 && mxArgv(2)->kind == XS_BOOLEAN_KIND && mxArgv(2)->value.boolean;
	Ledger ledger = ledgerOf(the);
	int32_t follows = checked(the, ledger_finish(ledger.words, ledger.size, ledger.at, number, (int32_t)status, mistaken));
	mxResult->kind = XS_BOOLEAN_KIND;
	mxResult->value.boolean = follows;
}

#define NATIVE(name, length, body) void motelearn_ledger_##name(txMachine* the) { body; }
LEDGER_NATIVES(NATIVE)
