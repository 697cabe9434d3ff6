/*
 * The part of the flash that the SDK reserves for files on chips without a partition table (pico, nrf52). Its
 * size is the manifest's `defines.file.lfs.partition.size`.
 */
#include "xsmc.h"
#include "xsHost.h"
#if defined(PICO_BUILD) || defined(nrf52)

static uint32_t partition(xsMachine* the, uint32_t* size) {
	uint32_t start;
	if (!modSPIFlashInit() || !modGetPartition(kPartitionStorage, &start, size) || *size == 0)
		xsUnknownError("no room for checkpoints beside the firmware");
	return start;
}

/* The flash address of `offset`; throws unless all `count` bytes lie in the partition. */
static uint32_t place(xsMachine* the, int offset, uint32_t count) {
	uint32_t size, start = partition(the, &size);
	if (offset < 0 || (uint32_t)offset > size || count > size - (uint32_t)offset) xsRangeError("flash that there isn't");
	return start + (uint32_t)offset;
}

void spi_flash_size(xsMachine* the) {
	uint32_t size;
	partition(the, &size);
	xsmcSetInteger(xsResult, (int)size);
}

void spi_flash_sector(xsMachine* the) { xsmcSetInteger(xsResult, (int)kFlashSectorSize); }

void spi_flash_read(xsMachine* the) {
	void* into;
	xsUnsignedValue count;
	uint32_t from;
	xsmcGetBufferWritable(xsArg(0), &into, &count);
	from = place(the, xsmcToInteger(xsArg(1)), count);
	if (!modSPIRead(from, count, into)) xsUnknownError("flash: not read");
}

void spi_flash_write(xsMachine* the) {
	void* from;
	xsUnsignedValue count;
	uint32_t to;
	xsmcGetBufferReadable(xsArg(0), &from, &count);
	to = place(the, xsmcToInteger(xsArg(1)), count);
	if (!modSPIWrite(to, count, from)) xsUnknownError("flash: not written");
}

/* One sector: its offset. */
void spi_flash_erase(xsMachine* the) {
	uint32_t sector = kFlashSectorSize, at = place(the, xsmcToInteger(xsArg(0)), sector);
	if (!modSPIErase(at, sector)) xsUnknownError("flash: not erased");
}
#endif
