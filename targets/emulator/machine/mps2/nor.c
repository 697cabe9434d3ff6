/*
 * The board has no flash: the debugger keeps the bank in a file, whose path is the command line. Programmed
 * by pages, as the flash of a microcontroller, which only clears bits.
 */
#include "chip.h"
#include "semihosting.h"

enum { PAGE = 256, READ_AND_WRITE = 3 }; /* r+b */

static int32_t file(void) {
	static int32_t handle;
	static char path[1024];
	uint32_t line[] = { (uint32_t)path, sizeof path };
	if (handle > 0) return handle;
	if (semihosting(SYS_GET_CMDLINE, line) != 0) return -1;
	const uint32_t block[] = { (uint32_t)path, READ_AND_WRITE, strlen(path) };
	return handle = semihosting(SYS_OPEN, block);
}

/* SYS_READ and SYS_WRITE return how many bytes are left. */
static int move(uint32_t operation, uint32_t offset, const void* bytes, uint32_t size) {
	const uint32_t place[] = { (uint32_t)file(), offset }, block[] = { (uint32_t)file(), (uint32_t)bytes, size };
	return file() > 0 && semihosting(SYS_SEEK, place) == 0 && semihosting(operation, block) == 0;
}

int chip_bank_read(uint32_t offset, uint8_t* into, uint32_t size) { return move(SYS_READ, offset, into, size); }

int chip_bank_erase(uint32_t offset) {
	uint8_t page[PAGE];
	memset(page, 0xff, PAGE);
	for (uint32_t end = offset + BANK_SECTOR; offset < end; offset += PAGE)
		if (!move(SYS_WRITE, offset, page, PAGE)) return 0;
	return 1;
}

int chip_bank_program(uint32_t offset, const uint8_t* from, uint32_t size) {
	uint8_t page[PAGE];
	for (uint32_t done = 0, part; done < size; done += part) {
		part = size - done < PAGE ? size - done : PAGE;
		if (!move(SYS_READ, offset + done, page, part)) return 0;
		for (uint32_t i = 0; i < part; i++) page[i] &= from[done + i];
		if (!move(SYS_WRITE, offset + done, page, part)) return 0;
	}
	return 1;
}
