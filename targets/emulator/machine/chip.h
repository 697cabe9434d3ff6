/*
 * What a chip gives its firmware: virt/ for RV32, mps2/ for Cortex-M. The compiler is told (chips.mjs) TABLES and TABLES_END,
 * where the engine's tables lie as if in flash, and HOST, where the host puts what it says.
 */
#ifndef CHIP_H
#define CHIP_H
#include "machine.h"

/* By QEMU's loader: a text, and, unless 0, milliseconds for which the watchdog waits, and a number that another start doesn't get. */
#define ARGUMENT ((const char*)HOST)
#define PATIENCE (*(const uint32_t*)(HOST + 0xffff0))
#define NOISE (*(const uint32_t*)(HOST + 0xffff4))

/* From reset: traps print a line, no interrupt is taken. */
void chip_start(void);
void chip_start_interrupts(void);
/* From now on code and tables can only be read. */
void chip_lock_flash(void);
/* Whether interrupts are taken. */
void chip_interrupts(int on);
/* Until an interrupt is pending, though none is taken. */
void chip_wait(void);
void chip_put(char c); /* prints */
void chip_exit(int status) __attribute__((noreturn));

/* The clock goes by instructions where they are counted. */
extern const uint32_t chip_ticks_a_ms;
/* Milliseconds that a million instructions take where they are counted. */
extern const uint32_t chip_ms_a_million;
uint64_t chip_ticks(void);
/* firmware_alarm is called at that time, unless another is set before. */
void chip_set_alarm(uint64_t then);
void firmware_alarm(void) __attribute__((noreturn));
void firmware_trap(unsigned cause, uint32_t at, uint32_t value) __attribute__((noreturn));

/* The wire's UART: uart_interrupt moves bytes between it and the FIFOs of uart.c. */
void chip_start_uart(void);
void chip_uart_interrupt(void);
void chip_uart_send(void); /* soon, there being bytes to send */
void uart_received(uint8_t byte);
int uart_to_send(void); /* bytes */
uint8_t uart_sent(void); /* the next of them */
int uart_has_input(void);

/* The bank of flash for checkpoints: whether it was done. Offsets and lengths in words of 4. */
enum { BANK_SECTOR = 256 * 1024, BANK_SIZE = 32 * 1024 * 1024 };
int chip_bank_read(uint32_t offset, uint8_t* into, uint32_t size);
int chip_bank_erase(uint32_t offset);
int chip_bank_program(uint32_t offset, const uint8_t* from, uint32_t size);

extern const HostFunction uart_functions[], nor_functions[];
#endif
