/* The keys of a node in an ESP32's NVS. They come as an NVS of their own, in partition `keys`, which the first start empties. */
#include "xsmc.h"
#include "xsHost.h"
#ifdef ESP32
#include "nvs_flash/include/nvs_flash.h"

enum { KEY_BYTES = 16 };
#define SPACE "motelearn"
#define INCOMING "keys"

static void check(xsMachine* the, esp_err_t error) {
	if (error != ESP_OK) xsUnknownError("NVS: %s", esp_err_to_name(error));
}

/* Whether there is a key of that name, which is no fault if not. */
static int readKey(xsMachine* the, nvs_handle_t from, const char* name, uint8_t* key) {
	size_t size = KEY_BYTES;
	esp_err_t error = nvs_get_blob(from, name, key, &size);
	if (error == ESP_ERR_NVS_NOT_FOUND) return 0;
	check(the, error);
	if (size != KEY_BYTES) xsUnknownError("NVS: %s: not a key", name);
	return 1;
}

static void erase(xsMachine* the, nvs_handle_t from, const char* name) {
	esp_err_t error = nvs_erase_key(from, name);
	if (error != ESP_ERR_NVS_NOT_FOUND) check(the, error);
}

/* The keys that came are all that the node has from then on. A power cut before they are erased has them taken once more. */
static void take(xsMachine* the, nvs_handle_t from) {
	static const char* const names[] = { "key", "labelKey" };
	uint8_t key[KEY_BYTES];
	nvs_handle_t to;
	check(the, nvs_open(SPACE, NVS_READWRITE, &to));
	for (int i = 0; i < 2; i++) {
		if (readKey(the, from, names[i], key)) check(the, nvs_set_blob(to, names[i], key, KEY_BYTES));
		else erase(the, to, names[i]);
	}
	check(the, nvs_commit(to));
	nvs_close(to);
	nvs_close(from);
	check(the, nvs_flash_deinit_partition(INCOMING));
	check(the, nvs_flash_erase_partition(INCOMING));
}

/* A partition table from before there were keys has no such partition. */
void stored_keys_take(xsMachine* the) {
	nvs_handle_t from;
	if (nvs_flash_init_partition(INCOMING) != ESP_OK) return;
	if (nvs_open_from_partition(INCOMING, SPACE, NVS_READONLY, &from) == ESP_OK) take(the, from);
	else nvs_flash_deinit_partition(INCOMING);
}

/* Whether NVS has the key of that name; argument 1 gets it. */
void stored_keys_read(xsMachine* the) {
	char name[16];
	uint8_t key[KEY_BYTES];
	void* into;
	xsUnsignedValue size;
	nvs_handle_t from;
	xsmcToStringBuffer(xsArg(0), name, sizeof(name));
	xsmcSetBoolean(xsResult, 0);
	esp_err_t error = nvs_open(SPACE, NVS_READONLY, &from);
	if (error == ESP_ERR_NVS_NOT_FOUND) return;
	check(the, error);
	int found = readKey(the, from, name, key);
	nvs_close(from);
	xsmcGetBufferWritable(xsArg(1), &into, &size);
	if (size < KEY_BYTES) xsRangeError("no room for a key");
	if (found) memcpy(into, key, KEY_BYTES);
	xsmcSetBoolean(xsResult, found);
}
#else
void stored_keys_take(xsMachine* the) {}
void stored_keys_read(xsMachine* the) { xsmcSetBoolean(xsResult, 0); }
#endif
