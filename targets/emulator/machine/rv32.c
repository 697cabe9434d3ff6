/*
 * The machine as firmware of QEMU's `virt` board: a UART, exact instruction counts (under -icount shift=0), and flash
 * that is write-protected before the job starts. The job's text lies at JOB, where QEMU's loader puts it.
 */
#include "machine.h"
#include <errno.h>

#define BLOCK 94208 /* `creation.static` of every ESP32-C3 board */
#define UART ((volatile uint8_t*)0x10000000)
#define FINISHER (*(volatile uint32_t*)0x100000)
#define TIMER ((volatile uint32_t*)0x200bff8)
#define FLASH 0x80000000u /* code; from TABLES on what xsl would have put there */
#define TABLES ((uint8_t*)0x80400000)
#define FLASH_SIZE 0x800000u
#define JOB ((const char*)0x80f00000)

extern char __heap_end[], __stack[], __data_start[], __bss_end[];
extern const uint8_t program_symbols[], program_code[], call_symbols[], call_code[];
extern const int program_code_size, call_code_size;

static uint8_t block[BLOCK] __attribute__((aligned(16)));
static uint8_t* tables = TABLES;

static int put(char c, FILE* file) {
	(void)file;
	while (!(UART[5] & 0x20));
	UART[0] = c;
	return (unsigned char)c;
}
static FILE uart = FDEV_SETUP_STREAM(put, NULL, NULL, _FDEV_SETUP_WRITE);
FILE* const stdout = &uart;
FILE* const stderr = &uart;
FILE* const stdin = &uart;

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

const char* board_job(void) { return JOB; }

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
uint32_t modMilliseconds(void) { return TIMER[0] / 10000; }

static void trap(void) __attribute__((aligned(4)));
static void trap(void) {
	uint32_t cause, at, value;
	__asm__ volatile("csrr %0, mcause\n csrr %1, mepc\n csrr %2, mtval" : "=r"(cause), "=r"(at), "=r"(value));
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

/* The C stack is painted, to see afterwards how deep it went. */
static void paintStack(void) {
	char here;
	for (uint32_t* word = (uint32_t*)__heap_end; (char*)word < &here - 256; word++) *word = 0xdeadbeef;
}
static unsigned stackUsed(void) {
	uint32_t* word = (uint32_t*)__heap_end;
	while (*word == 0xdeadbeef) word++;
	return __stack - (char*)word;
}

int main(void) {
	txCreation creation = { 1536, 512, 512, 64, 384, 32, 16, 127, 127, 8 * 1024, 127, BLOCK };
	Bytecode program = { program_symbols, program_code, program_code_size };
	Bytecode call = { call_symbols, call_code, call_code_size };
	txMachine *root, *the;
	txByte* code;
	__asm__ volatile("csrw mtvec, %0" ::"r"(trap));
	root = flash_begin();
	flash_define(root, "host", host_functions);
	flash_define(root, "f32Natives", f32_functions);
	flash_preload(root, &program);
	code = flash_link(root, &call);
	flash_end(root);
	lockFlash();
	if (!strcmp(JOB, "\"write flash\"")) *TABLES = 0; /* a test that it is caught */
	paintStack();
	the = machine_create(root, &creation, block);
	machine_run(the, code, call.codeSize);
	machine_report(the);
	printf("board: tables in flash %u B; C stack peak %u B; data, bss and block %u B\n", (unsigned)(tables - TABLES),
		stackUsed(), (unsigned)(__bss_end - __data_start));
	board_exit(0);
}
