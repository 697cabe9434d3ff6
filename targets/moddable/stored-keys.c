/*
 * The keys of a node in an ESP32's NVS, and its network. They arrive as a separate NVS in partition `keys`;
 * the first start moves them and erases it.
 */
#include "xsmc.h"
#include "xsHost.h"
#ifdef ESP32
#include "nvs_flash/include/nvs_flash.h"

enum { KEY_BYTES = 16, NETWORK_BYTES = 512, AUTHORITY_BYTES = 2048 };
#define SPACE "motelearn"
#define INCOMING "keys"
#define NETWORK "network"
#define AUTHORITY "ca"

static void check(xsMachine* the, esp_err_t error) {
	if (error != ESP_OK) xsUnknownError("NVS: %s", esp_err_to_name(error));
}

/* The bytes stored under that name, up to a limit; 0 if there are none, which isn't an error. */
static size_t readBytes(xsMachine* the, nvs_handle_t from, const char* name, void* into, size_t most) {
	size_t size = most;
	esp_err_t error = nvs_get_blob(from, name, into, &size);
	if (error == ESP_ERR_NVS_NOT_FOUND) return 0;
	check(the, error);
	return size;
}

static int readKey(xsMachine* the, nvs_handle_t from, const char* name, uint8_t* key) {
	size_t size = readBytes(the, from, name, key, KEY_BYTES);
	if (size != 0 && size != KEY_BYTES) xsUnknownError("NVS: %s: not a key", name);
	return size != 0;
}

static void erase(xsMachine* the, nvs_handle_t from, const char* name) {
	esp_err_t error = nvs_erase_key(from, name);
	if (error != ESP_ERR_NVS_NOT_FOUND) check(the, error);
}

/* The certificate of the broker's authority, if the network has one. */
static void takeAuthority(xsMachine* the, nvs_handle_t from, nvs_handle_t to) {
	uint8_t* bytes = c_malloc(AUTHORITY_BYTES); /* too much for the stack */
	size_t size = AUTHORITY_BYTES;
	if (!bytes) xsUnknownError("NVS: no memory");
	esp_err_t error = nvs_get_blob(from, AUTHORITY, bytes, &size);
	if (error == ESP_OK) error = nvs_set_blob(to, AUTHORITY, bytes, size);
	else if (error == ESP_ERR_NVS_NOT_FOUND) error = nvs_erase_key(to, AUTHORITY);
	c_free(bytes);
	if (error != ESP_ERR_NVS_NOT_FOUND) check(the, error);
}

/* A new network replaces the stored one, and its certificate; without a new one the stored one stays. */
static void takeNetwork(xsMachine* the, nvs_handle_t from, nvs_handle_t to) {
	uint8_t network[NETWORK_BYTES];
	size_t size = readBytes(the, from, NETWORK, network, sizeof(network));
	if (size == 0) return;
	takeAuthority(the, from, to);
	check(the, nvs_set_blob(to, NETWORK, network, size));
}

/* New keys replace all stored ones; without new ones the stored ones stay. */
static void takeKeys(xsMachine* the, nvs_handle_t from, nvs_handle_t to) {
	static const char* const names[] = { "key", "labelKey" };
	uint8_t keys[2][KEY_BYTES];
	int came[2];
	for (int i = 0; i < 2; i++) came[i] = readKey(the, from, names[i], keys[i]);
	if (!came[0] && !came[1]) return;
	for (int i = 0; i < 2; i++) {
		if (came[i]) check(the, nvs_set_blob(to, names[i], keys[i], KEY_BYTES));
		else erase(the, to, names[i]);
	}
}

/* After a power cut before the erase, the next start takes the same keys again. */
static void take(xsMachine* the, nvs_handle_t from) {
	nvs_handle_t to;
	check(the, nvs_open(SPACE, NVS_READWRITE, &to));
	takeKeys(the, from, to);
	takeNetwork(the, from, to);
	check(the, nvs_commit(to));
	nvs_close(to);
	nvs_close(from);
	check(the, nvs_flash_deinit_partition(INCOMING));
	check(the, nvs_flash_erase_partition(INCOMING));
}

/* A partition table older than keys has no such partition. */
void stored_keys_take(xsMachine* the) {
	nvs_handle_t from;
	if (nvs_flash_init_partition(INCOMING) != ESP_OK) return;
	if (nvs_open_from_partition(INCOMING, SPACE, NVS_READONLY, &from) == ESP_OK) take(the, from);
	else nvs_flash_deinit_partition(INCOMING);
}

/* True if NVS has the key of that name; argument 1 gets it. */
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

/* The network as text, or undefined. */
void stored_keys_network(xsMachine* the) {
	char network[NETWORK_BYTES];
	nvs_handle_t from;
	esp_err_t error = nvs_open(SPACE, NVS_READONLY, &from);
	if (error == ESP_ERR_NVS_NOT_FOUND) return;
	check(the, error);
	size_t size = readBytes(the, from, NETWORK, network, sizeof(network));
	nvs_close(from);
	if (size != 0) xsmcSetStringBuffer(xsResult, network, size);
}

/* The certificate's bytes, or undefined. */
void stored_keys_authority(xsMachine* the) {
	nvs_handle_t from;
	esp_err_t error = nvs_open(SPACE, NVS_READONLY, &from);
	if (error == ESP_ERR_NVS_NOT_FOUND) return;
	check(the, error);
	size_t size = 0;
	error = nvs_get_blob(from, AUTHORITY, NULL, &size);
	if (error == ESP_OK) error = nvs_get_blob(from, AUTHORITY, xsmcSetArrayBuffer(xsResult, NULL, size), &size);
	nvs_close(from);
	if (error != ESP_ERR_NVS_NOT_FOUND) check(the, error);
}
#else
void stored_keys_take(xsMachine* the) {}
void stored_keys_network(xsMachine* the) {}
void stored_keys_authority(xsMachine* the) {}
void stored_keys_read(xsMachine* the) { xsmcSetBoolean(xsResult, 0); }
#endif
