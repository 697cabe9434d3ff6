/* Deep sleep of an ESP32, the memory that survives it, and a clock that keeps counting. */
#include "xsmc.h"
#include "xsHost.h"
#ifdef ESP32
#include <sys/time.h>
#include "esp_attr.h"
#include "esp_sleep.h"

/*
 * In RTC memory: it has 8 KB, and ESP-IDF uses a part. Zeros after any start except a wake from deep sleep.
 */
enum { RETAINED = 7168 };
static RTC_DATA_ATTR uint8_t retained[RETAINED];

/* Ends with the next start. ESP-IDF first lets the UARTs send their bytes. */
void deep_sleep_begin(xsMachine* the) {
	double ms = xsmcToNumber(xsArg(0));
	if (!(ms >= 0 && ms < 2147483648.0)) xsRangeError("no time to sleep");
	if (esp_sleep_enable_timer_wakeup((uint64_t)(ms * 1000)) != ESP_OK) xsUnknownError("no timer wakes the chip");
	esp_deep_sleep_start();
}

/* Milliseconds, mod 2^32; the clock keeps counting in deep sleep. */
void deep_sleep_ticks(xsMachine* the) {
	struct timeval now;
	gettimeofday(&now, NULL);
	xsmcSetInteger(xsResult, (int32_t)(uint32_t)((uint64_t)now.tv_sec * 1000 + now.tv_usec / 1000));
}
#else
enum { RETAINED = 0 };
static uint8_t retained[1];

void deep_sleep_begin(xsMachine* the) { xsUnknownError("this machine has no deep sleep"); }
void deep_sleep_ticks(xsMachine* the) { xsmcSetInteger(xsResult, 0); }
#endif

/* The bytes at argument 0, if argument 1 has room for them there. */
static uint8_t* place(xsMachine* the, xsUnsignedValue size) {
	xsIntegerValue offset = xsmcToInteger(xsArg(0));
	if (offset < 0 || offset > RETAINED || size > (xsUnsignedValue)(RETAINED - offset)) xsRangeError("no memory there");
	return retained + offset;
}

void deep_sleep_bytes(xsMachine* the) { xsmcSetInteger(xsResult, RETAINED); }

void deep_sleep_read(xsMachine* the) {
	void* into;
	xsUnsignedValue size;
	xsmcGetBufferWritable(xsArg(1), &into, &size);
	memcpy(into, place(the, size), size);
}

void deep_sleep_write(xsMachine* the) {
	void* from;
	xsUnsignedValue size;
	xsmcGetBufferReadable(xsArg(1), &from, &size);
	memcpy(place(the, size), from, size);
}
