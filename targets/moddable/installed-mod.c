/* The mod in an ESP32's flash: mcrun installs it, and XS maps it before the first module runs. */
#include "xsAll.h"
#include "xs.h"

/* Codes of MOD. */
enum { NONE, READY, FOREIGN, FATAL };

#ifdef ESP32
#include "esp_attr.h"
#include "esp_partition.h"
#include "esp_system.h"

/*
 * An archive begins with an atom of 8 bytes, a version of 12, and the signature's atom of 8; XS overwrites an
 * archive that it can't map with an error.
 */
enum { TYPE_AT = 4, SIGNATURE_AT = 28, HEAD = SIGNATURE_AT + XS_DIGEST_SIZE };
static const uint32_t ON = 0x6d6f6421;

/* The mod on trial. It survives restarts, not power cuts. */
static RTC_NOINIT_ATTR struct {
	uint32_t on;
	uint8_t signature[XS_DIGEST_SIZE];
} trial;

static int readHead(uint8_t* head) {
	const esp_partition_t* partition = esp_partition_find_first(0x40, 1, NULL);
	return partition && esp_partition_read(partition, 0, head, HEAD) == ESP_OK;
}

static int isType(const uint8_t* head, const char* type) { return memcmp(head + TYPE_AT, type, 4) == 0; }

/* Full memory, a stripped feature and a watchdog all end so; a button and a power cut don't. */
static int crashed(void) {
	switch (esp_reset_reason()) {
	case ESP_RST_SW:
	case ESP_RST_PANIC:
	case ESP_RST_INT_WDT:
	case ESP_RST_TASK_WDT:
	case ESP_RST_WDT:
	case ESP_RST_CPU_LOCKUP:
		return 1;
	default:
		return 0;
	}
}

static int stateOf(xsMachine* the) {
	uint8_t head[HEAD];
	if (!readHead(head)) return NONE;
	if (isType(head, "XS_E")) return FOREIGN;
	if (!isType(head, "XS_A")) return NONE;
	if (!the->archive) return FOREIGN;
	int same = trial.on == ON && memcmp(trial.signature, head + SIGNATURE_AT, XS_DIGEST_SIZE) == 0;
	return same && crashed() ? FATAL : READY;
}

static void setTrial(int on) {
	uint8_t head[HEAD];
	trial.on = 0;
	if (!on || !readHead(head)) return;
	memcpy(trial.signature, head + SIGNATURE_AT, XS_DIGEST_SIZE);
	trial.on = ON;
}
#else
static int stateOf(xsMachine* the) { return NONE; }
static void setTrial(int on) {}
#endif

void mod_state(xsMachine* the) { xsResult = xsInteger(stateOf(the)); }
void mod_begin_trial(xsMachine* the) { setTrial(1); }
void mod_end_trial(xsMachine* the) { setTrial(0); }
