/*
 * `uart`: the wire's UART. QEMU's 16550 has FIFOs of 16 bytes and asks its chardev for no more than fit: left to itself it
 * never loses a byte. An ESP32's UART has 128 each way, which fill while JavaScript is busy, and drops what comes to a
 * full one. So the interrupt moves bytes between the 16550 and two FIFOs like those.
 */
#include "machine.h"

#define UART ((volatile uint8_t*)0x10000000)
enum { DATA = 0, INTERRUPTS = 1, FIFO_CONTROL = 2, LINE = 3, MODEM = 4, STATUS = 5 };
enum { ON_RECEIVED = 1, ON_SENT = 2, RECEIVED = 1, SENT = 0x20, HOLDS = 16 };

/* The interrupt controller: the UART's number there, and hart 0 in machine mode, which takes it. */
#define SOURCE 10
#define PRIORITY (*(volatile uint32_t*)(0x0c000000 + 4 * SOURCE))
#define ENABLED (*(volatile uint32_t*)0x0c002000)
#define THRESHOLD (*(volatile uint32_t*)0x0c200000)
#define CLAIM (*(volatile uint32_t*)0x0c200004)
#define EXTERNAL 0x800

enum { FIFO = 128 };
/* One end writes `put`, the other `taken`; both count bytes and wrap. */
typedef struct {
	volatile uint32_t put, taken;
	uint8_t bytes[FIFO];
} Fifo;
static Fifo input, output;
static volatile uint32_t overrun; /* bytes that came while the FIFO was full */

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

void uart_start(void) {
	UART[LINE] = 3; /* eight bits */
	UART[FIFO_CONTROL] = 7; /* on and empty */
	UART[MODEM] = 8;
	UART[INTERRUPTS] = ON_RECEIVED;
	PRIORITY = 1;
	THRESHOLD = 0;
	ENABLED = 1 << SOURCE;
	__asm__ volatile("csrs mie, %0" ::"r"(EXTERNAL));
}

static void receive(void) {
	while (UART[STATUS] & RECEIVED) {
		uint8_t byte = UART[DATA];
		if (held(&input) < FIFO) append(&input, byte);
		else overrun++;
	}
}

static void transmit(void) {
	if (UART[STATUS] & SENT)
		for (int i = 0; i < HOLDS && held(&output); i++) UART[DATA] = first(&output);
	UART[INTERRUPTS] = held(&output) ? ON_RECEIVED | ON_SENT : ON_RECEIVED;
}

void uart_interrupt(void) {
	uint32_t source = CLAIM;
	receive();
	transmit();
	CLAIM = source;
}

int uart_has_input(void) { return held(&input) > 0; }

static void give(txMachine* the, uint32_t count) {
	mxResult->kind = XS_NUMBER_KIND;
	mxResult->value.number = count;
}

/* Moves what has come to the beginning of a Uint8Array, as much as fits; returns how much. */
static void read(txMachine* the) {
	size_t size;
	uint32_t count = 0;
	uint8_t* to = bytes_of(the, mxArgv(0), &size);
	while (count < size && held(&input)) to[count++] = first(&input);
	give(the, count);
}

/* Takes bytes from..to-1 of a Uint8Array, as many as there is room for; returns how many. */
static void write(txMachine* the) {
	size_t size;
	uint8_t* bytes = bytes_of(the, mxArgv(0), &size);
	uint32_t from = fxToUnsigned(the, mxArgv(1)), to = fxToUnsigned(the, mxArgv(2)), at = from;
	if (to > size) mxRangeError("bytes that there aren't");
	while (at < to && held(&output) < FIFO) append(&output, bytes[at++]);
	if (at > from) UART[INTERRUPTS] = ON_RECEIVED | ON_SENT; /* it comes at once if the 16550 is empty */
	give(the, at - from);
}

static void overruns(txMachine* the) { give(the, overrun); }

const HostFunction uart_functions[] = {
	{ "read", read, 1 },
	{ "write", write, 3 },
	{ "overruns", overruns, 0 },
	{ NULL },
};
