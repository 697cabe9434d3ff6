/* RV32: QEMU's virt board, with exact instruction counts under -icount shift=0. */
#include "chip.h"

#define FINISHER (*(volatile uint32_t*)0x100000)
#define TIMER ((volatile uint32_t*)0x200bff8) /* ticks of 100 ns, which under -icount shift=0 are 100 instructions */
#define ALARM ((volatile uint32_t*)0x2004000)
#define FLASH 0x80000000u
#define TIMER_INTERRUPT 0x80000007u
#define EXTERNAL_INTERRUPT 0x8000000bu

const uint32_t chip_ticks_a_ms = 10000;
const uint32_t chip_ms_a_million = 1;

/* An ebreak between two no-op shifts, on one page, calls the debugger; 3 writes a character. */
__attribute__((noinline, aligned(16))) static void writeCharacter(const char* c) {
	register int operation __asm__("a0") = 3;
	register const char* at __asm__("a1") = c;
	__asm__ volatile(".option push\n .option norvc\n .balign 16\n slli zero, zero, 0x1f\n ebreak\n srai zero, zero, 7\n"
		" .option pop" : "+r"(operation) : "r"(at) : "memory");
}
void chip_put(char c) { writeCharacter(&c); }

void chip_exit(int status) {
	FINISHER = status ? (uint32_t)status << 16 | 0x3333 : 0x5555;
	for (;;);
}

double board_instructions(void) {
	uint32_t low, high, again;
	do __asm__ volatile("csrr %0, minstreth\n csrr %1, minstret\n csrr %2, minstreth" : "=r"(high), "=r"(low), "=r"(again));
	while (high != again);
	return (double)((uint64_t)high << 32 | low);
}

uint64_t chip_ticks(void) {
	uint32_t low, high;
	do high = TIMER[1], low = TIMER[0];
	while (high != TIMER[1]);
	return (uint64_t)high << 32 | low;
}

void chip_set_alarm(uint64_t then) {
	ALARM[1] = 0xffffffff; /* so that no moment of the change is due */
	ALARM[0] = (uint32_t)then;
	ALARM[1] = (uint32_t)(then >> 32);
}

void chip_interrupts(int on) {
	if (on) __asm__ volatile("csrsi mstatus, 8");
	else __asm__ volatile("csrci mstatus, 8");
}
void chip_wait(void) { __asm__ volatile("wfi"); }

__attribute__((interrupt("machine"), aligned(4))) static void trap(void) {
	uint32_t cause, at, value;
	__asm__ volatile("csrr %0, mcause\n csrr %1, mepc\n csrr %2, mtval" : "=r"(cause), "=r"(at), "=r"(value));
	if (cause == EXTERNAL_INTERRUPT) chip_uart_interrupt();
	else if (cause == TIMER_INTERRUPT) firmware_alarm();
	else firmware_trap(cause, at, value);
}
void chip_start(void) { __asm__ volatile("csrw mtvec, %0" ::"r"(trap)); }
void chip_start_interrupts(void) { __asm__ volatile("csrs mie, %0\n csrsi mstatus, 8" ::"r"(0x80)); }

/*
 * Entry 0 of the physical memory protection: flash, read and execute, locked, so that it binds machine mode;
 * 1: the rest.
 */
void chip_lock_flash(void) {
	uint32_t flash = FLASH >> 2 | (((TABLES_END - FLASH) >> 3) - 1), all = 0xffffffff;
	uint32_t naturally = 0x18, locked = 0x80, readExecute = 5, everything = 7;
	__asm__ volatile("csrw pmpaddr0, %0\n csrw pmpaddr1, %1\n csrw pmpcfg0, %2" ::"r"(flash), "r"(all),
		"r"((locked | naturally | readExecute) | (naturally | everything) << 8));
}
