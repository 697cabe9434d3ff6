/*
 * `uart`: the wire's UART. QEMU's UARTs take from their chardev only what has room, so by themselves they
 * never lose a byte. An ESP32's UART has a FIFO of 128 bytes each way, which fills while JavaScript is busy,
 * and drops bytes that arrive when it is full. So the interrupt moves bytes between QEMU's UART and two FIFOs
 * like those.
 */
#include "chip.h"

enum { FIFO = 128 };
/* One end advances `put`, the other `taken`; both count bytes and wrap. */
typedef struct {
	volatile uint32_t put, taken;
	uint8_t bytes[FIFO];
} Fifo;
static Fifo input, output;
static volatile uint32_t overrun; /* bytes dropped because the FIFO was full */

static uint32_t held(const Fifo* fifo) { return fifo->put - fifo->taken; }
static void append(Fifo* fifo, uint8_t byte) {
	fifo->bytes[fifo->put % FIFO] = byte;
	fifo->put++;
}
static uint8_t first(Fifo* fifo) {
	uint8_t byte = fifo->bytes[fifo->taken % FIFO];
	fifo->taken++;
	return byte;
}

void uart_received(uint8_t byte) {
	if (held(&input) < FIFO) append(&input, byte);
	else overrun++;
}
int uart_to_send(void) { return (int)held(&output); }
uint8_t uart_sent(void) { return first(&output); }
int uart_has_input(void) { return held(&input) > 0; }

static void give(txMachine* the, uint32_t count) {
	mxResult->kind = XS_NUMBER_KIND;
	mxResult->value.number = count;
}

/* Moves received bytes to the beginning of a Uint8Array, as many as fit; returns how many. */
static void read(txMachine* the) {
	size_t size;
	uint32_t count = 0;
	uint8_t* to = bytes_of(the, mxArgv(0), &size);
	while (count < size && held(&input)) to[count++] = first(&input);
	give(the, count);
}

/* Takes as many of bytes from..to-1 of a Uint8Array as have room; returns how many. */
static void write(txMachine* the) {
	size_t size;
	uint8_t* bytes = bytes_of(the, mxArgv(0), &size);
	uint32_t from = fxToUnsigned(the, mxArgv(1)), to = fxToUnsigned(the, mxArgv(2)), at = from;
	if (to > size) mxRangeError("bytes that there aren't");
	while (at < to && held(&output) < FIFO) append(&output, bytes[at++]);
	if (at > from) chip_uart_send();
	give(the, at - from);
}

static void overruns(txMachine* the) { give(the, overrun); }

const HostFunction uart_functions[] = {
	{ "read", read, 1 },
	{ "write", write, 3 },
	{ "overruns", overruns, 0 },
	{ NULL },
};
