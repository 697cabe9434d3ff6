/* What the chip has left: bytes of heap now and at least, and of the task's stack at least. */
#include "xsmc.h"
#include "xsHost.h"
#include "esp_system.h"
#include "freertos/FreeRTOS.h"
#include "freertos/task.h"

void measured_bytes(xsMachine* the) {
	char text[64];
	snprintf(text, sizeof(text), "{\"free\":%u,\"least\":%u,\"stack\":%u}", (unsigned)esp_get_free_heap_size(),
		(unsigned)esp_get_minimum_free_heap_size(), (unsigned)(uxTaskGetStackHighWaterMark(NULL) * sizeof(StackType_t)));
	xsmcSetString(xsResult, text);
}
