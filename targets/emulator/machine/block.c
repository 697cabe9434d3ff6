/*
 * Memory: the machine's fixed block (chunks grow up, slots grow down), and the engine's memory outside it.
 * The block has the bytes of a device, where a slot takes 16; on a host a slot takes 32 and is charged as 16.
 */
#include "machine.h"

size_t outside_now, outside_peak;
int making_flash;
static uint8_t* given;
static size_t given_size, asked;

#define DEVICE_SLOT 16
#define SLOT_SCALE (sizeof(txSlot) / DEVICE_SLOT)

void block_give(void* memory, size_t size) {
	given = memory;
	given_size = size & ~(size_t)15;
}

size_t block_room(size_t size) { return (size & ~(size_t)15) * SLOT_SCALE; }

size_t block_left(txMachine* the) {
	size_t chunks = the->chunksEnd - the->block;
	size_t slots = the->block + given_size * SLOT_SCALE - the->slotsBegin;
	return given_size - chunks - slots / SLOT_SCALE;
}
size_t block_asked(void) { return asked; }

/* A header keeps the size and whether it stands for flash; 16 bytes, so that what follows stays aligned. */
typedef struct { uint32_t size, flash, unused[2]; } Header;

void* outside_malloc(size_t size) {
	Header* header = board_malloc(size + sizeof(Header), making_flash);
	if (!header) return NULL;
	header->size = size;
	header->flash = making_flash;
	if (!making_flash && (outside_now += size) > outside_peak) outside_peak = outside_now;
	return header + 1;
}

void* outside_calloc(size_t count, size_t size) {
	void* memory = outside_malloc(count * size);
	if (memory) memset(memory, 0, count * size);
	return memory;
}

void outside_free(void* memory) {
	Header* header = (Header*)memory - 1;
	if (!memory) return;
	if (!header->flash) outside_now -= header->size;
	board_free(header, header->flash);
}

void* outside_realloc(void* old, size_t size) {
	void* memory = outside_malloc(size);
	if (memory && old) {
		size_t before = ((Header*)old - 1)->size;
		memcpy(memory, old, before < size ? before : size);
		outside_free(old);
	}
	return memory;
}

void fxCreateMachinePlatform(txMachine* the) {
	the->block = the->chunksEnd = given;
	the->slotsBegin = given ? given + given_size * SLOT_SCALE : NULL;
}

void fxDeleteMachinePlatform(txMachine* the) { (void)the; }

void* fxAllocateChunks(txMachine* the, txSize size) {
	uint8_t* memory = the->chunksEnd;
	if (!the->block) return c_malloc(size);
	size = (size + 7) & ~7;
	if (block_left(the) < (size_t)size) {
		asked = size;
		return NULL;
	}
	the->chunksEnd += size;
	return memory;
}

void fxFreeChunks(txMachine* the, void* memory) {
	if (!the->block) c_free(memory);
}

/*
 * Chunks and slots share the middle: before slots fail, chunks give back what a collection frees at their
 * end.
 */
static void shrinkChunks(txMachine* the) {
	txBlock* last = the->firstBlock;
	fxCollect(the, XS_COMPACT_FLAG | XS_ORGANIC_FLAG);
	if (last->limit == (txByte*)the->chunksEnd) {
		txSize tail = last->limit - last->current;
		last->limit -= tail;
		the->chunksEnd -= tail;
		the->maximumChunksSize -= tail;
	}
}

txSlot* fxAllocateSlots(txMachine* the, txSize count) {
	size_t size = count * sizeof(txSlot), charged = count * DEVICE_SLOT;
	if (!the->block) return c_malloc(size);
	if (block_left(the) < charged && the->firstBlock && the->stack) {
		shrinkChunks(the);
		if (the->freeHeap) return (txSlot*)-1; /* XS: there are free slots again */
	}
	if (block_left(the) < charged) {
		asked = charged;
		return NULL;
	}
	the->slotsBegin -= size;
	return (txSlot*)the->slotsBegin;
}

void fxFreeSlots(txMachine* the, void* memory) {
	if (!the->block) c_free(memory);
}
