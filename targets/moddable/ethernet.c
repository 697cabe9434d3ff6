/*
 * The Ethernet of an emulated ESP32: Espressif's QEMU has OpenCores' MAC in the place of a radio, and ESP-IDF its driver.
 */
#include "xsmc.h"
#include "xsHost.h"
#include "sdkconfig.h"
#include "esp_eth.h"
#include "esp_event.h"
#include "esp_netif.h"
#ifndef CONFIG_ETH_USE_OPENETH
#error "sdkconfig.defaults: takes CONFIG_ETH_USE_OPENETH=y for an emulated board's Ethernet"
#endif

static esp_netif_t* netif;

static void check(xsMachine* the, esp_err_t error) {
	if (error != ESP_OK) xsUnknownError("Ethernet: %s", esp_err_to_name(error));
}

static esp_eth_handle_t install(xsMachine* the) {
	eth_mac_config_t macConfig = ETH_MAC_DEFAULT_CONFIG();
	eth_phy_config_t phyConfig = ETH_PHY_DEFAULT_CONFIG();
	phyConfig.autonego_timeout_ms = 100; /* QEMU's has negotiated already */
	esp_eth_config_t config = ETH_DEFAULT_CONFIG(esp_eth_mac_new_openeth(&macConfig), esp_eth_phy_new_generic(&phyConfig));
	esp_eth_handle_t driver;
	check(the, esp_eth_driver_install(&config, &driver));
	return driver;
}

/* ESP-IDF asks for an address by itself when the link is up. */
void ethernet_start(xsMachine* the) {
	check(the, esp_netif_init());
	check(the, esp_event_loop_create_default());
	esp_netif_config_t config = ESP_NETIF_DEFAULT_ETH();
	netif = esp_netif_new(&config);
	esp_eth_handle_t driver = install(the);
	check(the, esp_netif_attach(netif, esp_eth_new_netif_glue(driver)));
	check(the, esp_eth_start(driver));
}

void ethernet_addressed(xsMachine* the) {
	esp_netif_ip_info_t info;
	xsmcSetBoolean(xsResult, esp_netif_get_ip_info(netif, &info) == ESP_OK && info.ip.addr != 0);
}
