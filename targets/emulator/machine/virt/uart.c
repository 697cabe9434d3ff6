/* A 16550 with FIFOs of 16 bytes. */
#include "chip.h"

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

void chip_start_uart(void) {
	UART[LINE] = 3; /* eight bits */
	UART[FIFO_CONTROL] = 7; /* on and empty */
	UART[MODEM] = 8;
	UART[INTERRUPTS] = ON_RECEIVED;
	PRIORITY = 1;
	THRESHOLD = 0;
	ENABLED = 1 << SOURCE;
	__asm__ volatile("csrs mie, %0" ::"r"(EXTERNAL));
}

/* It comes at once if the 16550 is empty. */
void chip_uart_send(void) { UART[INTERRUPTS] = ON_RECEIVED | ON_SENT; }

static void transmit(void) {
	if (UART[STATUS] & SENT)
		for (int i = 0; i < HOLDS && uart_to_send(); i++) UART[DATA] = uart_sent();
	UART[INTERRUPTS] = uart_to_send() ? ON_RECEIVED | ON_SENT : ON_RECEIVED;
}

void chip_uart_interrupt(void) {
	uint32_t source = CLAIM;
	while (UART[STATUS] & RECEIVED) uart_received(UART[DATA]);
	transmit();
	CLAIM = source;
}
