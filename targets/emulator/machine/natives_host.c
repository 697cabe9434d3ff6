/* `host`: what a job sees of its machine. Nothing here allocates, but for `job`. */
#include "machine.h"

static void number(txMachine* the, double value) {
	mxResult->kind = XS_NUMBER_KIND;
	mxResult->value.number = value;
}

static void print(txMachine* the) { printf("%s\n", fxToString(the, mxArgv(0))); }
static void job(txMachine* the) { fxStringBuffer(the, mxResult, (txString)board_job(), strlen(board_job())); }
static void slots(txMachine* the) { number(the, the->currentHeapCount); }
static void chunks(txMachine* the) { number(the, the->currentChunksSize); }
static void collections(txMachine* the) { number(the, the->garbageCollectionCount); }
static void collect(txMachine* the) { fxCollectGarbage(the); }
static void instructions(txMachine* the) { number(the, board_instructions()); }

const HostFunction host_functions[] = {
	{ "print", print, 1 },
	{ "job", job, 0 },
	{ "slots", slots, 0 },
	{ "chunks", chunks, 0 },
	{ "collections", collections, 0 },
	{ "collect", collect, 0 },
	{ "instructions", instructions, 0 },
	{ NULL },
};
