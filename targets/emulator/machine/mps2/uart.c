/* ARM's CMSDK UART, which holds one byte each way. CMSDK technical reference manual, 4.3. */
#include "chip.h"

typedef struct {
	volatile uint32_t data, state, control, interrupt, divider;
} Uart;
#define UART ((Uart*)(PERIPHERALS + UART_AT))
enum { SEND = 1, RECEIVE = 2, ON_SENT = 4, ON_RECEIVED = 8 };
enum { FULL = 1, RECEIVED = 2 };

void chip_start_uart(void) {
	UART->divider = 16;
	UART->control = SEND | RECEIVE | ON_SENT | ON_RECEIVED;
}

/* Sends what has room; QEMU's UART takes a byte as soon as it has passed on the one before. */
static void transmit(void) {
	while (uart_to_send() && !(UART->state & FULL)) UART->data = uart_sent();
}

void chip_uart_send(void) {
	chip_interrupts(0);
	transmit();
	chip_interrupts(1);
}

void chip_uart_interrupt(void) {
	UART->interrupt = 3;
	while (UART->state & RECEIVED) uart_received((uint8_t)UART->data);
	transmit();
}
