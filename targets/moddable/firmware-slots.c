/*
 * The slots of firmware, by ESP-IDF's app_update. If firmware on trial restarts, the bootloader falls back by
 * itself.
 */
#include "xsmc.h"
#include "xsHost.h"
#ifdef ESP32
#include "esp_system.h"
#include "app_update/include/esp_ota_ops.h"

/* Whether the firmware that runs is on trial. */
void slots_trial(xsMachine* the) {
	esp_ota_img_states_t state;
	esp_err_t error = esp_ota_get_state_partition(esp_ota_get_running_partition(), &state);
	xsmcSetBoolean(xsResult, error == ESP_OK && state == ESP_OTA_IMG_PENDING_VERIFY);
}

/*
 * Has the idle slot's firmware start next, on trial, after ESP-IDF verified its SHA-256. Returns whether it
 * will.
 */
void slots_activate(xsMachine* the) {
	const esp_partition_t* idle = esp_ota_get_next_update_partition(NULL);
	xsmcSetBoolean(xsResult, idle && esp_ota_set_boot_partition(idle) == ESP_OK);
}

void slots_confirm(xsMachine* the) { xsmcSetBoolean(xsResult, esp_ota_mark_app_valid_cancel_rollback() == ESP_OK); }

/* Restarts with the previous firmware; does nothing if there is none. */
void slots_revert(xsMachine* the) { esp_ota_mark_app_invalid_rollback_and_reboot(); }

void slots_restart(xsMachine* the) { esp_restart(); }
#else
void slots_trial(xsMachine* the) { xsmcSetBoolean(xsResult, 0); }
void slots_activate(xsMachine* the) { xsmcSetBoolean(xsResult, 0); }
void slots_confirm(xsMachine* the) { xsmcSetBoolean(xsResult, 0); }
void slots_revert(xsMachine* the) {}
void slots_restart(xsMachine* the) {}
#endif
