/*
 * The board's second bank, in QEMU two 16-bit chips side by side with Intel's command set (CFI 01), erased by
 * sectors, programmed by words.
 */
#include "chip.h"

#define BANK ((volatile uint32_t*)0x22000000)

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

/*
 * Waits for completion, returns whether it succeeded, and switches the chips back to memory. Switching for
 * each word costs QEMU 100 times more.
 */
static int finish(volatile uint32_t* at) {
	int done = !(wait(at) & FAILED);
	*at = CLEAR;
	*at = READ_ARRAY;
	return done;
}

int chip_bank_read(uint32_t offset, uint8_t* into, uint32_t size) {
	const volatile uint8_t* from = (volatile uint8_t*)BANK + offset;
	while (size--) *into++ = *from++;
	return 1;
}

int chip_bank_erase(uint32_t offset) {
	volatile uint32_t* at = BANK + offset / 4;
	*at = ERASE;
	*at = CONFIRM;
	return finish(at);
}

int chip_bank_program(uint32_t offset, const uint8_t* from, uint32_t size) {
	volatile uint32_t* at = BANK + offset / 4;
	for (uint32_t i = 0; i < size; i += 4, at++) {
		uint32_t word;
		memcpy(&word, from + i, 4);
		*at = PROGRAM;
		*at = word;
		wait(at);
	}
	return finish(BANK);
}
