/*
 * The slots of firmware, by ESP-IDF's app_update. If firmware on trial restarts, the bootloader falls back by
 * itself.
 */
#include "xsmc.h"
#include "xsHost.h"
#ifdef ESP32
#include "esp_system.h"
#include "app_update/include/esp_ota_ops.h"
#include "bootloader_support/include/bootloader_common.h"
#include "esp_partition.h"

/* True if the firmware that runs is on trial. */
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

/*
 * Writes both of the bootloader's records for the firmware that runs, one while the other is whole: a power cut may have left its own in
 * doubt, and the other may name the idle slot. A board that never took an update has none, and firmware on trial keeps its own.
 */
void slots_secure(xsMachine* the) {
	const esp_partition_t* records = esp_partition_find_first(ESP_PARTITION_TYPE_DATA, ESP_PARTITION_SUBTYPE_DATA_OTA, NULL);
	esp_ota_select_entry_t entries[2];
	int active;
	xsmcSetBoolean(xsResult, 0);
	if (!records) return;
	for (int i = 0; i < 2; i++)
		if (esp_partition_read(records, i * records->erase_size, &entries[i], sizeof(entries[i])) != ESP_OK) return;
	active = bootloader_common_get_active_otadata(entries);
	if (active >= 0 && entries[active].ota_state != ESP_OTA_IMG_PENDING_VERIFY)
		for (int other = 1; other >= 0; other--) {
			size_t at = (active ^ other) * records->erase_size;
			if (esp_partition_erase_range(records, at, records->erase_size) != ESP_OK) return;
			if (esp_partition_write(records, at, &entries[active], sizeof(entries[active])) != ESP_OK) return;
		}
	xsmcSetBoolean(xsResult, 1);
}

void slots_confirm(xsMachine* the) { xsmcSetBoolean(xsResult, esp_ota_mark_app_valid_cancel_rollback() == ESP_OK); }

/* Restarts with the previous firmware; does nothing if there is none. */
void slots_revert(xsMachine* the) { esp_ota_mark_app_invalid_rollback_and_reboot(); }

void slots_restart(xsMachine* the) { esp_restart(); }
#else
void slots_trial(xsMachine* the) { xsmcSetBoolean(xsResult, 0); }
void slots_activate(xsMachine* the) { xsmcSetBoolean(xsResult, 0); }
void slots_secure(xsMachine* the) { xsmcSetBoolean(xsResult, 0); }
void slots_confirm(xsMachine* the) { xsmcSetBoolean(xsResult, 0); }
void slots_revert(xsMachine* the) {}
void slots_restart(xsMachine* the) {}
#endif
