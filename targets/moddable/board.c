/* The figures about its board and engine that a node reports. Nothing here allocates. */
#include "xsAll.h"
#include "xs.h"

/* Codes of RESET_REASONS. */
enum { UNKNOWN, POWER, EXTERNAL, SOFTWARE, WATCHDOG = 7, DEEP_SLEEP, DEBUGGER = 12, GLITCH = 14, LOCK_UP };

#ifdef ESP32
#include "sdkconfig.h"
#include "esp_random.h"
#include "esp_system.h"
#include "esp_task_wdt.h"
#include "freertos/FreeRTOS.h"
#include "freertos/task.h"

void board_random(xsMachine* the) { xsResult = xsNumber(esp_random()); }

/* The codes of RESET_REASONS by ESP-IDF's reason; any other is 0, unknown. */
static const uint8_t resets[] = {
	[ESP_RST_POWERON] = 1,
	[ESP_RST_EXT] = 2,
	[ESP_RST_SW] = 3,
	[ESP_RST_PANIC] = 4,
	[ESP_RST_INT_WDT] = 5,
	[ESP_RST_TASK_WDT] = 6,
	[ESP_RST_WDT] = 7,
	[ESP_RST_DEEPSLEEP] = 8,
	[ESP_RST_BROWNOUT] = 9,
	[ESP_RST_SDIO] = 10,
	[ESP_RST_USB] = 11,
	[ESP_RST_JTAG] = 12,
	[ESP_RST_EFUSE] = 13,
	[ESP_RST_PWR_GLITCH] = 14,
	[ESP_RST_CPU_LOCKUP] = 15,
};

static int resetReason(void) {
	unsigned reason = esp_reset_reason();
	return reason < sizeof(resets) ? resets[reason] : UNKNOWN;
}

/* Milliseconds between two waits of a long turn. */
enum { YIELD_MS = 100 };

/*
 * As the SDK's loop does between two turns. The watchdog looks after the idle task, too, and that runs only while this task waits.
 */
void board_feed(xsMachine* the) {
	static TickType_t yielded;
#if CONFIG_ESP_TASK_WDT_EN
	esp_task_wdt_reset();
#endif
	if (xTaskGetTickCount() - yielded < pdMS_TO_TICKS(YIELD_MS)) return;
	vTaskDelay(1);
	yielded = xTaskGetTickCount();
}
#elif PICO_BUILD
#include "hardware/watchdog.h"
#include "pico/rand.h"
#if PICO_RP2350
#include "hardware/structs/powman.h"
#else
#include "hardware/structs/vreg_and_chip_reset.h"
#endif

void board_random(xsMachine* the) { xsResult = xsNumber(get_rand_32()); }

static int resetReason(void) {
	if (watchdog_enable_caused_reboot()) return WATCHDOG;
	if (watchdog_caused_reboot()) return SOFTWARE;
#if PICO_RP2350
	uint32_t had = powman_hw->chip_reset;
	if (had & POWMAN_CHIP_RESET_HAD_GLITCH_DETECT_BITS) return GLITCH;
	if (had & POWMAN_CHIP_RESET_HAD_RUN_LOW_BITS) return EXTERNAL;
	if (had & (POWMAN_CHIP_RESET_HAD_DP_RESET_REQ_BITS | POWMAN_CHIP_RESET_HAD_RESCUE_BITS)) return DEBUGGER;
	if (had & (POWMAN_CHIP_RESET_HAD_POR_BITS | POWMAN_CHIP_RESET_HAD_BOR_BITS)) return POWER;
#else
	uint32_t had = vreg_and_chip_reset_hw->chip_reset;
	if (had & VREG_AND_CHIP_RESET_CHIP_RESET_HAD_PSM_RESTART_BITS) return DEBUGGER;
	if (had & VREG_AND_CHIP_RESET_CHIP_RESET_HAD_RUN_BITS) return EXTERNAL;
	if (had & VREG_AND_CHIP_RESET_CHIP_RESET_HAD_POR_BITS) return POWER;
#endif
	return UNKNOWN;
}

void board_feed(xsMachine* the) { modWatchDogReset(); }
#elif defined(nrf52)
#include "nrf.h"
#include "nrf_sdh.h"
#include "nrf_soc.h"

/*
 * Where the SoftDevice is on, as with Bluetooth, it owns the generator; its pool may be empty at the start.
 */
void board_random(xsMachine* the) {
	union { uint32_t word; uint8_t bytes[4]; } random;
	if (nrf_sdh_is_enabled()) {
		while (sd_rand_application_vector_get(random.bytes, 4) != NRF_SUCCESS) {}
	} else {
		NRF_RNG->CONFIG = RNG_CONFIG_DERCEN_Enabled; /* without bias */
		NRF_RNG->TASKS_START = 1;
		for (int i = 0; i < 4; i++) {
			NRF_RNG->EVENTS_VALRDY = 0;
			while (!NRF_RNG->EVENTS_VALRDY) {}
			random.bytes[i] = NRF_RNG->VALUE;
		}
		NRF_RNG->TASKS_STOP = 1;
	}
	xsResult = xsNumber(random.word);
}

/*
 * RESETREAS (nRF52840 Product Specification, 5.3.7.11), which the SDK reads and clears at the start; 0: power
 * on.
 */
static int resetReason(void) {
	uint32_t reason = nrf52_get_reset_reason();
	if (reason & POWER_RESETREAS_RESETPIN_Msk) return EXTERNAL;
	if (reason & POWER_RESETREAS_DOG_Msk) return WATCHDOG;
	if (reason & POWER_RESETREAS_LOCKUP_Msk) return LOCK_UP;
	if (reason & POWER_RESETREAS_OFF_Msk) return DEEP_SLEEP;
	if (reason & POWER_RESETREAS_DIF_Msk) return DEBUGGER;
	if (reason & POWER_RESETREAS_SREQ_Msk) return SOFTWARE;
	return reason == 0 ? POWER : UNKNOWN;
}

void board_feed(xsMachine* the) { modWatchDogReset(); }
#else
void board_random(xsMachine* the) { xsUnknownError("no source of random numbers"); }
static int resetReason(void) { return UNKNOWN; }
void board_feed(xsMachine* the) {}
#endif

void board_reset(xsMachine* the) { xsResult = xsInteger(resetReason()); }

void board_debugged(xsMachine* the) {
#if defined(mxDebug) || defined(MODINSTRUMENTATION)
	xsResult = xsTrue;
#else
	xsResult = xsFalse;
#endif
}

/* XS notes its peaks only when it collects garbage. */
static double most(double peak, double now) { return peak > now ? peak : now; }

void board_slots(xsMachine* the) {
	xsResult = xsNumber(most(the->peakHeapCount, the->currentHeapCount) * sizeof(txSlot));
}

void board_chunks(xsMachine* the) { xsResult = xsNumber(most(the->peakChunksSize, the->currentChunksSize)); }
