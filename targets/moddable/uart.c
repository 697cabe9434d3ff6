/*
 * Moves bytes to and from the FIFOs of a UART that the SDK's Serial opened, in one call of ESP-IDF. Nothing
 * here waits.
 */
#include "xsmc.h"
#include "xsHost.h"
#ifdef ESP32
#include "hal/uart_ll.h"
#include "soc/uart_struct.h"

/* The port is argument 0. */
static uart_dev_t* uartOf(xsMachine* the) {
	int port = xsmcToInteger(xsArg(0));
	if (port < 0 || port >= UART_NUM_MAX) xsRangeError("no such port");
	return UART_LL_GET_HW(port);
}

void uart_has_fifo(xsMachine* the) { xsmcSetTrue(xsResult); }

void uart_read(xsMachine* the) {
	uart_dev_t* uart = uartOf(the);
	void* to;
	xsUnsignedValue size, count = uart_ll_get_rxfifo_len(uart);
	xsmcGetBufferWritable(xsArg(1), &to, &size);
	if (count > size) count = size;
	if (count > 0) uart_ll_read_rxfifo(uart, to, count);
	xsmcSetInteger(xsResult, (xsIntegerValue)count);
}

void uart_write(xsMachine* the) {
	uart_dev_t* uart = uartOf(the);
	void* bytes;
	xsUnsignedValue size, count, room = uart_ll_get_txfifo_len(uart);
	xsIntegerValue from = xsmcToInteger(xsArg(2)), to = xsmcToInteger(xsArg(3));
	xsmcGetBufferReadable(xsArg(1), &bytes, &size);
	if (from < 0 || to < from || (xsUnsignedValue)to > size) xsRangeError("bytes that there aren't");
	count = (xsUnsignedValue)(to - from) < room ? (xsUnsignedValue)(to - from) : room;
	if (count > 0) uart_ll_write_txfifo(uart, (uint8_t*)bytes + from, count);
	xsmcSetInteger(xsResult, (xsIntegerValue)count);
}
#else
void uart_has_fifo(xsMachine* the) { xsmcSetFalse(xsResult); }
void uart_read(xsMachine* the) { xsUnknownError("no FIFO here"); }
void uart_write(xsMachine* the) { xsUnknownError("no FIFO here"); }
#endif
