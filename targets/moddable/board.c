/* What a node tells of its board and engine. Nothing here allocates. */
#include "xsAll.h"
#include "xs.h"
#ifdef ESP32
#include "sdkconfig.h"
#include "esp_system.h"
#include "esp_task_wdt.h"

/* The `reason` of message reset, by what ESP-IDF gives. */
static int reasonOf(esp_reset_reason_t reason) {
	switch (reason) {
		case ESP_RST_POWERON: return 1;
		case ESP_RST_EXT: return 2;
		case ESP_RST_SW: return 3;
		case ESP_RST_INT_WDT:
		case ESP_RST_TASK_WDT:
		case ESP_RST_WDT: return 4;
		case ESP_RST_BROWNOUT: return 5;
		case ESP_RST_PANIC: return 6;
		default: return 0;
	}
}

void board_reset(xsMachine* the) { xsResult = xsInteger(reasonOf(esp_reset_reason())); }

/* As the SDK's loop does between two turns. */
void board_feed(xsMachine* the) {
#if CONFIG_ESP_TASK_WDT_EN
	esp_task_wdt_reset();
#endif
}
#else
void board_feed(xsMachine* the) {}
void board_reset(xsMachine* the) { xsResult = xsInteger(0); }
#endif

void board_debugged(xsMachine* the) {
#if defined(mxDebug) || defined(MODINSTRUMENTATION)
	xsResult = xsTrue;
#else
	xsResult = xsFalse;
#endif
}

void board_slots(xsMachine* the) { xsResult = xsNumber((double)the->currentHeapCount * sizeof(txSlot)); }
void board_chunks(xsMachine* the) { xsResult = xsNumber(the->currentChunksSize); }
