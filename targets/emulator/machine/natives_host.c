/* `host`: a program's view of its machine. Nothing here allocates except `argument`. */
#include "machine.h"

uint8_t* bytes_of(txMachine* the, txSlot* value, size_t* size) {
	txSlot* array = value->kind == XS_REFERENCE_KIND ? value->value.reference->next : NULL;
	if (!array || array->kind != XS_TYPED_ARRAY_KIND) mxTypeError("no typed array");
	*size = array->next->value.dataView.size;
	return (uint8_t*)array->next->next->value.reference->next->value.arrayBuffer.address + array->next->value.dataView.offset;
}

static void number(txMachine* the, double value) {
	mxResult->kind = XS_NUMBER_KIND;
	mxResult->value.number = value;
}

static void print(txMachine* the) { printf("%s\n", fxToString(the, mxArgv(0))); }
static void argument(txMachine* the) { fxStringBuffer(the, mxResult, (txString)board_argument(), strlen(board_argument())); }
static void slots(txMachine* the) { number(the, the->currentHeapCount); }
static void chunks(txMachine* the) { number(the, the->currentChunksSize); }
static void collections(txMachine* the) { number(the, the->garbageCollectionCount); }
static void collect(txMachine* the) { fxCollectGarbage(the); }
static void watchStack(txMachine* the) { board_watch_stack(); }
static void stack(txMachine* the) { number(the, board_stack()); }
static void feed(txMachine* the) { board_feed(); }
static void instructions(txMachine* the) { number(the, board_instructions()); }

/*
 * A line whose bytes pass one by one through C, as with the SDK's UART, without its driver's work: a peer's
 * bytes arrive at once, the node's bytes are dropped.
 */
enum { LINE = 128 };
static uint8_t line[LINE];
static size_t line_count, line_taken;
static void carry(txMachine* the) {
	size_t size;
	uint8_t* bytes = bytes_of(the, mxArgv(0), &size);
	line_count = fxToUnsigned(the, mxArgv(1));
	line_taken = 0;
	if (line_count > size || line_count > LINE) mxRangeError("bytes that there aren't");
	memcpy(line, bytes, line_count);
}
static void readByte(txMachine* the) {
	if (line_taken == line_count) return; /* undefined */
	mxResult->kind = XS_INTEGER_KIND;
	mxResult->value.integer = line[line_taken++];
}
static void writeByte(txMachine* the) { fxToInteger(the, mxArgv(0)); }


/* The same in one call, as uart.c and usb-serial.c move bytes. */
static void readBytes(txMachine* the) {
	size_t room, count = line_count - line_taken;
	uint8_t* to = bytes_of(the, mxArgv(0), &room);
	if (count > room) count = room;
	memcpy(to, line + line_taken, count);
	line_taken += count;
	mxResult->kind = XS_INTEGER_KIND;
	mxResult->value.integer = (txInteger)count;
}
static void writeBytes(txMachine* the) {
	size_t size;
	bytes_of(the, mxArgv(0), &size);
	txInteger from = fxToInteger(the, mxArgv(1)), to = fxToInteger(the, mxArgv(2));
	if (from < 0 || to < from || (size_t)to > size) mxRangeError("bytes that there aren't");
	mxResult->kind = XS_INTEGER_KIND;
	mxResult->value.integer = to - from;
}

const HostFunction host_functions[] = {
	{ "print", print, 1 },
	{ "argument", argument, 0 },
	{ "slots", slots, 0 },
	{ "chunks", chunks, 0 },
	{ "collections", collections, 0 },
	{ "collect", collect, 0 },
	{ "watchStack", watchStack, 0 },
	{ "stack", stack, 0 },
	{ "feed", feed, 0 },
	{ "instructions", instructions, 0 },
	{ "carry", carry, 2 },
	{ "readByte", readByte, 0 },
	{ "writeByte", writeByte, 1 },
	{ "read", readBytes, 1 },
	{ "write", writeBytes, 3 },
	{ NULL },
};
