/*
 * Cortex-M: ARM's MPS2 board. It has no counter of instructions. Under -icount shift=6 an instruction takes
 * 64 ns, more than a tick of the timer, so the ticks give the instructions. chips.mjs defines PERIPHERALS,
 * where they begin, TICK_NS, TIMER_IRQ, UART_IRQ, and FLASH to FLASH_END, where the code lies.
 */
#include "chip.h"
#include "semihosting.h"

#define INSTRUCTION_NS 64

/*
 * Two timers that count down: one to tell the time, one for the alarm. CMSDK technical reference manual, 4.2.
 */
typedef struct {
	volatile uint32_t control, value, reload, interrupt;
} Timer;
#define CLOCK ((Timer*)PERIPHERALS)
#define ALARM ((Timer*)(PERIPHERALS + 0x1000))
enum { ON = 1, INTERRUPT = 8 };
enum { ALARM_IRQ = TIMER_IRQ + 1, LONGEST = 0x40000000 };

#define NVIC_ENABLE ((volatile uint32_t*)0xe000e100)
#define NVIC_CLEAR ((volatile uint32_t*)0xe000e280)
#define VECTORS (*(volatile uint32_t*)0xe000ed08)
#define SYSTEM_HANDLERS (*(volatile uint32_t*)0xe000ed24)
#define FAULT_ADDRESS (*(const volatile uint32_t*)0xe000ed34)
enum { MEMORY_FAULT = 1 << 16, IRQ = 16 };

const uint32_t chip_ticks_a_ms = 1000000 / TICK_NS;
const uint32_t chip_ms_a_million = INSTRUCTION_NS;

void chip_put(char c) { semihosting(SYS_WRITEC, &c); }

void chip_exit(int status) {
	const uint32_t block[] = { 0x20026, (uint32_t)status }; /* ended by itself */
	semihosting(SYS_EXIT_EXTENDED, block);
	for (;;);
}

static uint32_t masked(void) {
	uint32_t before;
	__asm__ volatile("mrs %0, primask\n cpsid i" : "=r"(before)::"memory");
	return before;
}
static void unmask(uint32_t before) { __asm__ volatile("msr primask, %0" ::"r"(before) : "memory"); }

void chip_interrupts(int on) {
	if (on) __asm__ volatile("cpsie i" ::: "memory");
	else __asm__ volatile("cpsid i" ::: "memory");
}
void chip_wait(void) { __asm__ volatile("dsb\n wfi" ::: "memory"); }

/* The timer comes around in minutes; the watchdog asks more often. */
uint64_t chip_ticks(void) {
	static uint64_t sum;
	static uint32_t last = 0xffffffff;
	uint32_t before = masked(), value = CLOCK->value;
	uint64_t now = sum += last - value;
	last = value;
	unmask(before);
	return now;
}

double board_instructions(void) { return (double)(chip_ticks() * TICK_NS / INSTRUCTION_NS); }

static uint64_t due;
static void setTimer(uint64_t now) {
	ALARM->control = 0;
	ALARM->interrupt = 1;
	NVIC_CLEAR[ALARM_IRQ / 32] = 1u << ALARM_IRQ % 32;
	ALARM->reload = ALARM->value = due <= now ? 1 : due - now < LONGEST ? (uint32_t)(due - now) : LONGEST;
	ALARM->control = ON | INTERRUPT;
}
void chip_set_alarm(uint64_t then) {
	uint32_t before = masked();
	due = then;
	setTimer(chip_ticks());
	unmask(before);
}

/* The handler of every exception; `stacked`: r0 to r3, r12, lr, pc, xpsr. */
__attribute__((used)) static void handle(const uint32_t* stacked) {
	uint32_t number;
	uint64_t now;
	__asm__ volatile("mrs %0, ipsr" : "=r"(number));
	if (number == IRQ + UART_IRQ || number == IRQ + UART_IRQ + 1) {
		chip_uart_interrupt();
		return;
	}
	if (number != IRQ + ALARM_IRQ) firmware_trap(number, stacked[6], FAULT_ADDRESS);
	now = chip_ticks();
	if (now >= due) firmware_alarm();
	setTimer(now);
}
__attribute__((naked)) static void exception(void) { __asm__ volatile("mov r0, sp\n ldr r1, =handle\n bx r1\n .ltorg"); }

void chip_start(void) {
	static void (*vectors[64])(void) __attribute__((aligned(256)));
	for (int i = 1; i < 64; i++) vectors[i] = exception;
	VECTORS = (uint32_t)vectors;
	SYSTEM_HANDLERS |= MEMORY_FAULT;
	CLOCK->reload = CLOCK->value = 0xffffffff;
	CLOCK->control = ON;
}

void chip_start_interrupts(void) {
	NVIC_ENABLE[ALARM_IRQ / 32] = 1u << ALARM_IRQ % 32;
	NVIC_ENABLE[UART_IRQ / 32] = 3u << UART_IRQ % 32;
	chip_interrupts(1);
}

/* The memory protection unit: two read-only regions, the rest unchanged. */
#define MPU_CONTROL (*(volatile uint32_t*)0xe000ed94)
#define MPU_NUMBER (*(volatile uint32_t*)0xe000ed98)
#define MPU_BASE (*(volatile uint32_t*)0xe000ed9c)
#define MPU_SIZE (*(volatile uint32_t*)0xe000eda0) /* ARMv8-M: the limit */
#define MPU_ATTRIBUTES (*(volatile uint32_t*)0xe000edc0)
enum { ENABLED = 1, OTHERS_TOO = 4 };

static void readOnly(uint32_t number, uint32_t from, uint32_t to) {
	MPU_NUMBER = number;
#if __ARM_ARCH >= 8
	MPU_BASE = from | 2 << 1;
	MPU_SIZE = ((to - 1) & ~31u) | ENABLED;
#else
	MPU_BASE = from;
	MPU_SIZE = 5u << 24 | 1 << 17 | (uint32_t)(__builtin_ctz(to - from) - 1) << 1 | ENABLED;
#endif
}

void chip_lock_flash(void) {
#if __ARM_ARCH >= 8
	MPU_ATTRIBUTES = 0xaa; /* memory, written through */
#endif
	readOnly(0, FLASH, FLASH_END);
	readOnly(1, TABLES, TABLES_END);
	MPU_CONTROL = ENABLED | OTHERS_TOO;
	__asm__ volatile("dsb\n isb" ::: "memory");
}
