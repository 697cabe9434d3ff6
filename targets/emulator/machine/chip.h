/*
 * A chip's interface to its firmware: virt/ for RV32, mps2/ for Cortex-M. chips.mjs defines TABLES and
 * TABLES_END, where the engine's tables lie as if in flash, and HOST, where the host puts its input.
 */
#ifndef CHIP_H
#define CHIP_H
#include "machine.h"

/* From QEMU's loader: a text; the watchdog's milliseconds, a number unique to this start, and the block's bytes, unless 0. */
#define ARGUMENT ((const char*)HOST)
#define PATIENCE (*(const uint32_t*)(HOST + 0xffff0))
#define NOISE (*(const uint32_t*)(HOST + 0xffff4))
#define STATIC (*(const uint32_t*)(HOST + 0xffff8))

/* From reset on, traps print a line, and interrupts are off. */
void chip_start(void);
void chip_start_interrupts(void);
/* Makes code and tables read-only. */
void chip_lock_flash(void);
/* True if interrupts are taken. */
void chip_interrupts(int on);
/* Waits until an interrupt is pending, without taking it. */
void chip_wait(void);
void chip_put(char c); /* prints */
void chip_exit(int status) __attribute__((noreturn));

/* Where instructions are counted, the clock runs by them. */
extern const uint32_t chip_ticks_a_ms;
/* Milliseconds that a million instructions take where they are counted. */
extern const uint32_t chip_ms_a_million;
uint64_t chip_ticks(void);
/* Calls firmware_alarm at that time, unless a new alarm replaces it. */
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

/*
 * The bank of flash for checkpoints: each call returns whether it succeeded. Offsets and lengths are in words
 * of 4 bytes.
 */
enum { BANK_SECTOR = 256 * 1024, BANK_SIZE = 32 * 1024 * 1024 };
int chip_bank_read(uint32_t offset, uint8_t* into, uint32_t size);
int chip_bank_erase(uint32_t offset);
int chip_bank_program(uint32_t offset, const uint8_t* from, uint32_t size);

extern const HostFunction uart_functions[], nor_functions[];
#endif
