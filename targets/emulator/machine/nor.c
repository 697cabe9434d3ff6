/*
 * `nor`: the board's bank of flash for checkpoints, which the host keeps in a file, erased by sectors. Each
 * erase or write is in the file before the next step begins, so killing QEMU is a power cut.
 */
#include "chip.h"

static void give(txMachine* the, int done) {
	mxResult->kind = XS_BOOLEAN_KIND;
	mxResult->value.boolean = done;
}

static uint32_t offset_of(txMachine* the, size_t size) {
	uint32_t offset = fxToUnsigned(the, mxArgv(0));
	if (offset > BANK_SIZE || size > BANK_SIZE - offset) mxRangeError("flash that there isn't");
	return offset;
}

static void read(txMachine* the) {
	size_t size;
	uint8_t* into = bytes_of(the, mxArgv(1), &size);
	give(the, chip_bank_read(offset_of(the, size), into, size));
}

static void erase(txMachine* the) { give(the, chip_bank_erase(offset_of(the, BANK_SECTOR))); }

/* Offset and length are multiples of 4. */
static void program(txMachine* the) {
	size_t size;
	const uint8_t* from = bytes_of(the, mxArgv(1), &size);
	give(the, chip_bank_program(offset_of(the, size), from, size));
}

const HostFunction nor_functions[] = {
	{ "read", read, 2 },
	{ "erase", erase, 1 },
	{ "program", program, 2 },
	{ NULL },
};
