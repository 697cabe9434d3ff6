/* The wire over the USB of the chip itself (USB-Serial/JTAG), by ESP-IDF's driver. Nothing here waits. */
#include "xsmc.h"
#include "xsHost.h"
#ifdef ESP32
#include "sdkconfig.h"
#include "soc/soc_caps.h"
#endif

#if SOC_USB_SERIAL_JTAG_SUPPORTED
#include "esp_driver_usb_serial_jtag/include/driver/usb_serial_jtag.h"

/* A USB packet: the driver's output takes a write whole or not at all. */
enum { PACKET = 64 };

/* Bytes of input, bytes of output that may wait. */
void usb_serial_open(xsMachine* the) {
	usb_serial_jtag_driver_config_t config = {
		.rx_buffer_size = xsmcToInteger(xsArg(0)),
		.tx_buffer_size = xsmcToInteger(xsArg(1)),
	};
	if (usb_serial_jtag_driver_install(&config) != ESP_OK) xsUnknownError("USB can't be opened");
}

void usb_serial_read(xsMachine* the) {
	void* to;
	xsUnsignedValue size;
	xsmcGetBufferWritable(xsArg(0), &to, &size);
	xsmcSetInteger(xsResult, usb_serial_jtag_read_bytes(to, size, 0));
}

void usb_serial_write(xsMachine* the) {
	void* bytes;
	xsUnsignedValue size;
	xsIntegerValue from = xsmcToInteger(xsArg(1)), to = xsmcToInteger(xsArg(2)), at = from;
	xsmcGetBufferReadable(xsArg(0), &bytes, &size);
	if (from < 0 || to < from || (xsUnsignedValue)to > size) xsRangeError("bytes that there aren't");
	while (at < to) {
		int count = to - at < PACKET ? to - at : PACKET;
		if (usb_serial_jtag_write_bytes((uint8_t*)bytes + at, count, 0) != count) break;
		at += count;
	}
	xsmcSetInteger(xsResult, at - from);
}
#else
void usb_serial_open(xsMachine* the) { xsUnknownError("this chip has no USB-Serial/JTAG"); }
void usb_serial_read(xsMachine* the) { xsmcSetInteger(xsResult, 0); }
void usb_serial_write(xsMachine* the) { xsmcSetInteger(xsResult, 0); }
#endif
