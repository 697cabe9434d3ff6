/*
 * `nor`: the board's second bank of flash, which QEMU keeps in a file: two 16-bit chips side by side with Intel's command
 * set (CFI 01), erased by sectors, programmed by words. Each erase and each word is in the file before the next begins,
 * so that whoever kills QEMU cuts the power.
 */
#include "machine.h"

#define BANK ((volatile uint32_t*)0x22000000)
enum { SECTOR = 256 * 1024, SIZE = 32 * 1024 * 1024 };

/* A command, or a status, of both chips. */
#define BOTH(code) ((code) << 16 | (code))
enum { PROGRAM = BOTH(0x40), ERASE = BOTH(0x20), CONFIRM = BOTH(0xd0), CLEAR = BOTH(0x50), READ_ARRAY = BOTH(0xff) };
enum { READY = BOTH(0x80), FAILED = BOTH(0x3a) };

static uint32_t wait(volatile uint32_t* at) {
	uint32_t status;
	do status = *at;
	while ((status & READY) != READY);
	return status;
}

/* Once all is done: whether it was, and the chips are memory again. To and fro for each word costs QEMU 100 times more. */
static int finish(volatile uint32_t* at) {
	int done = !(wait(at) & FAILED);
	*at = CLEAR;
	*at = READ_ARRAY;
	return done;
}

static void give(txMachine* the, int done) {
	mxResult->kind = XS_BOOLEAN_KIND;
	mxResult->value.boolean = done;
}

static uint32_t offset_of(txMachine* the, size_t size) {
	uint32_t offset = fxToUnsigned(the, mxArgv(0));
	if (offset > SIZE || size > SIZE - offset) mxRangeError("flash that there isn't");
	return offset;
}

static void read(txMachine* the) {
	size_t size;
	uint8_t* into = bytes_of(the, mxArgv(1), &size);
	const volatile uint8_t* from = (volatile uint8_t*)BANK + offset_of(the, size);
	while (size--) *into++ = *from++;
	give(the, 1);
}

static void erase(txMachine* the) {
	volatile uint32_t* at = BANK + offset_of(the, SECTOR) / 4;
	*at = ERASE;
	*at = CONFIRM;
	give(the, finish(at));
}

/* Offset and length are multiples of 4. */
static void program(txMachine* the) {
	size_t size;
	const uint8_t* from = bytes_of(the, mxArgv(1), &size);
	volatile uint32_t* at = BANK + offset_of(the, size) / 4;
	for (size_t i = 0; i < size; i += 4, at++) {
		uint32_t word;
		memcpy(&word, from + i, 4);
		*at = PROGRAM;
		*at = word;
		wait(at);
	}
	give(the, finish(BANK));
}

const HostFunction nor_functions[] = {
	{ "read", read, 2 },
	{ "erase", erase, 1 },
	{ "program", program, 2 },
	{ NULL },
};
