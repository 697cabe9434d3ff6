/*
 * The machine as firmware of QEMU's `virt` board: exact instruction counts (under -icount shift=0), code in flash that is
 * write-protected before the program starts, a UART and a second bank of flash for it. Its argument lies at ARGUMENT, where
 * QEMU's loader puts it. What is printed goes to the debugger's console (semihosting), as the UART is the wire's.
 */
#include "machine.h"
#include <errno.h>

#define BLOCK 94208 /* `creation.static` of every ESP32-C3 board */
#define FINISHER (*(volatile uint32_t*)0x100000)
#define TIMER ((volatile uint32_t*)0x200bff8) /* ticks of 100 ns, which under -icount shift=0 are 100 instructions */
#define ALARM ((volatile uint32_t*)0x2004000)
#define TICKS_A_MS 10000
#define CALENDAR (*(volatile uint32_t*)0x101000) /* nanoseconds, low word */
#define FLASH 0x80000000u /* code; from TABLES on what xsl would have put there */
#define TABLES ((uint8_t*)0x80400000)
#define FLASH_SIZE 0x800000u
#define ARGUMENT ((const char*)0x80f00000)
#define PATIENCE (*(const uint32_t*)0x80fffff0) /* instead of WATCHDOG_MILLIONS, unless 0 */

/* Millions of instructions that a step may take. An ESP32's task watchdog waits for 5 s, some 1,000 million; four times
   that leaves room for osKM without C primitives, which takes hundreds of millions and is measured here, too. */
#define WATCHDOG_MILLIONS 4000u
#define TIMER_INTERRUPT 0x80000007u
#define EXTERNAL_INTERRUPT 0x8000000bu

extern char __heap_end[], __stack[], __data_start[], __bss_end[];
extern const uint8_t program_symbols[], program_code[], call_symbols[], call_code[];
extern const int program_code_size, call_code_size;

static uint8_t block[BLOCK] __attribute__((aligned(16)));
static uint8_t* tables = TABLES;

/* uart.c, nor.c */
void uart_start(void);
void uart_interrupt(void);
int uart_has_input(void);
extern const HostFunction uart_functions[], nor_functions[];

/* The debugger is called by an ebreak between two shifts that do nothing, on one page; 3 writes a character. */
__attribute__((noinline, aligned(16))) static void writeCharacter(const char* c) {
	register int operation __asm__("a0") = 3;
	register const char* at __asm__("a1") = c;
	__asm__ volatile(".option push\n .option norvc\n .balign 16\n slli zero, zero, 0x1f\n ebreak\n srai zero, zero, 7\n"
		" .option pop" : "+r"(operation) : "r"(at) : "memory");
}
static int put(char c, FILE* file) {
	(void)file;
	writeCharacter(&c);
	return (unsigned char)c;
}
static FILE console = FDEV_SETUP_STREAM(put, NULL, NULL, _FDEV_SETUP_WRITE);
FILE* const stdout = &console;
FILE* const stderr = &console;
FILE* const stdin = &console;

void board_exit(int status) {
	FINISHER = status ? (uint32_t)status << 16 | 0x3333 : 0x5555;
	for (;;);
}
void _exit(int status) { board_exit(status); }

void board_abort(int code, const char* why) {
	printf("machine: %s\n", why);
	board_exit(code);
}

void* board_malloc(size_t size, int flash) {
	uint8_t* memory = tables;
	if (!flash) return (malloc)(size);
	size = (size + 15) & ~15;
	if (tables + size > (uint8_t*)FLASH + FLASH_SIZE) return NULL;
	tables += size;
	return memory;
}
void board_free(void* memory, int flash) {
	if (!flash) (free)(memory);
}

const char* board_argument(void) { return ARGUMENT; }

double board_instructions(void) {
	uint32_t low, high, again;
	do __asm__ volatile("csrr %0, minstreth\n csrr %1, minstret\n csrr %2, minstreth" : "=r"(high), "=r"(low), "=r"(again));
	while (high != again);
	return (double)((uint64_t)high << 32 | low);
}

char* fxCStackLimit(void) { return __heap_end + 512; }

/* Date, which nothing here asks for, needs a clock. */
int gettimeofday(struct timeval* now, void* zone) {
	(void)zone;
	now->tv_sec = TIMER[0] / 10000000;
	now->tv_usec = TIMER[0] % 10000000 / 10;
	return 0;
}
uint32_t modMilliseconds(void) { return TIMER[0] / TICKS_A_MS; }

static uint64_t ticks(void) {
	uint32_t low, high;
	do high = TIMER[1], low = TIMER[0];
	while (high != TIMER[1]);
	return (uint64_t)high << 32 | low;
}

static void setAlarm(uint64_t then) {
	ALARM[1] = 0xffffffff; /* so that no moment of the change is due */
	ALARM[0] = (uint32_t)then;
	ALARM[1] = (uint32_t)(then >> 32);
}
static uint32_t patience(void) { return PATIENCE ? PATIENCE : WATCHDOG_MILLIONS; }
void board_feed(void) { setAlarm(ticks() + (uint64_t)patience() * TICKS_A_MS); }

static void give(txMachine* the, double value) {
	mxResult->kind = XS_NUMBER_KIND;
	mxResult->value.number = value;
}

/* Milliseconds since the start. */
static void milliseconds(txMachine* the) { give(the, (double)(ticks() / TICKS_A_MS)); }

/* 32 bits that another start doesn't get. */
static void noise(txMachine* the) { give(the, CALENDAR); }

/* Returns as soon as there is input, and after so many milliseconds at the latest. What is pending ends the wait even
   while no interrupt is taken; so one that comes just before isn't missed. */
static void idle(txMachine* the) {
	uint32_t most = fxToUnsigned(the, mxArgv(0));
	__asm__ volatile("csrci mstatus, 8");
	if (!uart_has_input()) {
		setAlarm(ticks() + (uint64_t)most * TICKS_A_MS);
		__asm__ volatile("wfi");
		board_feed();
	}
	__asm__ volatile("csrsi mstatus, 8");
}

/* Waits so many milliseconds; interrupts are taken meanwhile, whose moves of bytes end no wait. */
static void rest(txMachine* the) {
	uint64_t until = ticks() + (uint64_t)fxToUnsigned(the, mxArgv(0)) * TICKS_A_MS;
	while (ticks() < until) {
		__asm__ volatile("csrci mstatus, 8");
		setAlarm(until);
		__asm__ volatile("wfi");
		board_feed();
		__asm__ volatile("csrsi mstatus, 8");
	}
}

/* Runs what settled promises have made due. */
static void settle(txMachine* the) { machine_settle(the, 0); }

static const HostFunction board_functions[] = {
	{ "milliseconds", milliseconds, 0 },
	{ "noise", noise, 0 },
	{ "idle", idle, 1 },
	{ "rest", rest, 1 },
	{ "settle", settle, 0 },
	{ NULL },
};

__attribute__((interrupt("machine"), aligned(4))) static void trap(void) {
	uint32_t cause, at, value;
	__asm__ volatile("csrr %0, mcause\n csrr %1, mepc\n csrr %2, mtval" : "=r"(cause), "=r"(at), "=r"(value));
	if (cause == EXTERNAL_INTERRUPT) {
		uart_interrupt();
		return;
	}
	if (cause == TIMER_INTERRUPT) {
		printf("machine: watchdog: no step ended within %u million instructions\n", (unsigned)patience());
		board_exit(ABORTED + XS_TOO_MUCH_COMPUTATION_EXIT);
	}
	printf("machine: trap %u at %08x, value %08x\n", (unsigned)cause, (unsigned)at, (unsigned)value);
	board_exit(99);
}

/* Entry 0 of the physical memory protection: flash, read and execute, locked, so that it binds machine mode; 1: the rest. */
static void lockFlash(void) {
	uint32_t flash = FLASH >> 2 | ((FLASH_SIZE >> 3) - 1), all = 0xffffffff;
	uint32_t naturally = 0x18, locked = 0x80, readExecute = 5, everything = 7;
	__asm__ volatile("csrw pmpaddr0, %0\n csrw pmpaddr1, %1\n csrw pmpcfg0, %2" ::"r"(flash), "r"(all),
		"r"((locked | naturally | readExecute) | (naturally | everything) << 8));
}

/* The C stack is painted below the caller, to see afterwards how deep it went. */
#define PAINT 0xdeadbeef
static unsigned deepest;
__attribute__((noinline)) static void paintStack(void) {
	uint32_t* end;
	__asm__ volatile("mv %0, sp" : "=r"(end));
	for (volatile uint32_t* word = (uint32_t*)__heap_end; word < end; word++) *word = PAINT;
}
unsigned board_stack(void) {
	uint32_t* word = (uint32_t*)__heap_end;
	while (*word == PAINT) word++;
	if (__stack - (char*)word > deepest) deepest = __stack - (char*)word;
	return __stack - (char*)word;
}
void board_watch_stack(void) {
	board_stack();
	paintStack();
}

static void startInterrupts(void) {
	board_feed();
	uart_start();
	__asm__ volatile("csrs mie, %0\n csrsi mstatus, 8" ::"r"(0x80));
}

int main(void) {
	txCreation creation = { 1536, 512, 512, 64, 512, 32, 16, 127, 127, 8 * 1024, 127, BLOCK };
	Bytecode program = { program_symbols, program_code, program_code_size };
	Bytecode call = { call_symbols, call_code, call_code_size };
	txMachine *root, *the;
	txByte* code;
	__asm__ volatile("csrw mtvec, %0" ::"r"(trap));
	root = flash_begin();
	flash_define(root, "host", host_functions);
	flash_define(root, "f32Natives", f32_functions);
	flash_define(root, "board", board_functions);
	flash_define(root, "uart", uart_functions);
	flash_define(root, "nor", nor_functions);
	flash_preload(root, &program);
	code = flash_link(root, &call);
	flash_end(root);
	lockFlash();
	if (!strcmp(ARGUMENT, "\"write flash\"")) *TABLES = 0; /* a test that it is caught */
	paintStack();
	startInterrupts();
	the = machine_create(root, &creation, block);
	machine_run(the, code, call.codeSize);
	machine_report(the);
	board_stack();
	printf("board: tables in flash %u B; C stack peak %u B; data, bss and block %u B\n", (unsigned)(tables - TABLES),
		deepest, (unsigned)(__bss_end - __data_start));
	board_exit(0);
}
