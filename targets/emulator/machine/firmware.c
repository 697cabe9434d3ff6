/*
 * The machine as firmware of an emulated chip: code in flash, write-protected before the program starts;
 * exact instruction counts where QEMU is set to count; a UART and a bank of flash for the program. Output
 * goes to the debugger's console (semihosting), since the UART is the wire's.
 */
#include "chip.h"
#include <errno.h>

#define BLOCK 94208 /* `creation.static` of every ESP32-C3 board, the most; a planned firmware has less */

/*
 * Millions of instructions that a step may take. An ESP32's task watchdog waits for 5 s, about 1,000 million.
 * Four times that leaves room for osKM without C primitives, which takes hundreds of millions and is also
 * measured here.
 */
#define WATCHDOG_MILLIONS 4000u

extern char __heap_end[], __stack[], __data_start[], __bss_end[];
extern const uint8_t program_symbols[], program_code[], call_symbols[], call_code[];
extern const int program_code_size, call_code_size;

static uint8_t block[BLOCK] __attribute__((aligned(16)));
static uint8_t* tables = (uint8_t*)TABLES;
static txMachine* machine;

static int put(char c, FILE* file) {
	(void)file;
	chip_put(c);
	return (unsigned char)c;
}
static FILE console = FDEV_SETUP_STREAM(put, NULL, NULL, _FDEV_SETUP_WRITE);
FILE* const stdout = &console;
FILE* const stderr = &console;
FILE* const stdin = &console;

void board_exit(int status) { chip_exit(status); }
void _exit(int status) { chip_exit(status); }

void board_abort(int code, const char* why) {
	printf("machine: %s\n", why);
	board_exit(code);
}

void* board_malloc(size_t size, int flash) {
	uint8_t* memory = tables;
	if (!flash) return (malloc)(size);
	size = (size + 15) & ~15;
	if (tables + size > (uint8_t*)TABLES_END) return NULL;
	tables += size;
	return memory;
}
void board_free(void* memory, int flash) {
	if (!flash) (free)(memory);
}

const char* board_argument(void) { return ARGUMENT; }

char* fxCStackLimit(void) { return __heap_end + 512; }

uint32_t modMilliseconds(void) { return (uint32_t)(chip_ticks() / chip_ticks_a_ms); }

/* Date needs a clock, though nothing here uses it. */
int gettimeofday(struct timeval* now, void* zone) {
	uint32_t milliseconds = modMilliseconds();
	(void)zone;
	now->tv_sec = milliseconds / 1000;
	now->tv_usec = milliseconds % 1000 * 1000;
	return 0;
}

static void alarmAfter(uint32_t milliseconds) { chip_set_alarm(chip_ticks() + (uint64_t)milliseconds * chip_ticks_a_ms); }

/* A board at its wire, which never ends by itself, says each time that its stack has gone deeper than before. */
static void say_stack(void) {
	static int said;
	int slots = machine_stack(machine);
	if (slots == said) return;
	said = slots;
	printf("stack: %d of %d slots\n", slots, (int)(machine->stackTop - machine->stackBottom));
}

void board_feed(void) {
	alarmAfter(PATIENCE ? PATIENCE : WATCHDOG_MILLIONS * chip_ms_a_million);
	if (PATIENCE && machine) say_stack();
}

void firmware_alarm(void) {
	unsigned millions = PATIENCE ? PATIENCE : WATCHDOG_MILLIONS;
	printf("machine: watchdog: no step ended within %u million instructions\n", millions);
	board_exit(ABORTED + XS_TOO_MUCH_COMPUTATION_EXIT);
}

void firmware_trap(unsigned cause, uint32_t at, uint32_t value) {
	printf("machine: trap %u at %08x, value %08x\n", cause, (unsigned)at, (unsigned)value);
	board_exit(99);
}

static void give(txMachine* the, double value) {
	mxResult->kind = XS_NUMBER_KIND;
	mxResult->value.number = value;
}

/* Milliseconds since the start. */
static void milliseconds(txMachine* the) { give(the, (double)(chip_ticks() / chip_ticks_a_ms)); }

/* 32 bits, different at each start. */
static void noise(txMachine* the) { give(the, NOISE); }

/*
 * Returns as soon as there is input, and after so many milliseconds at the latest. A pending interrupt ends
 * the wait even while interrupts are off, so one that comes just before isn't missed.
 */
static void idle(txMachine* the) {
	uint32_t most = fxToUnsigned(the, mxArgv(0));
	chip_interrupts(0);
	if (!uart_has_input()) {
		alarmAfter(most);
		chip_wait();
		board_feed();
	}
	chip_interrupts(1);
}

/* Waits so many milliseconds. Interrupts meanwhile move bytes, and don't end the wait. */
static void rest(txMachine* the) {
	uint64_t until = chip_ticks() + (uint64_t)fxToUnsigned(the, mxArgv(0)) * chip_ticks_a_ms;
	while (chip_ticks() < until) {
		chip_interrupts(0);
		chip_set_alarm(until);
		chip_wait();
		board_feed();
		chip_interrupts(1);
	}
}

/* Runs the jobs of settled promises. */
static void settle(txMachine* the) { machine_settle(the, 0); }

static const HostFunction board_functions[] = {
	{ "milliseconds", milliseconds, 0 },
	{ "noise", noise, 0 },
	{ "idle", idle, 1 },
	{ "rest", rest, 1 },
	{ "settle", settle, 0 },
	{ NULL },
};

/* The C stack is painted below the caller, to see afterwards how deep it went. */
#define PAINT 0xdeadbeef
static unsigned deepest;
__attribute__((noinline)) static void paintStack(void) {
	register uint32_t* end __asm__("sp");
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

int main(void) {
	txCreation creation = { 1536, 512, 512, 64, 576, 32, 16, 127, 127, 8 * 1024, 127, BLOCK };
	Bytecode program = { program_symbols, program_code, program_code_size };
	Bytecode call = { call_symbols, call_code, call_code_size };
	txMachine* root;
	txByte* code;
	chip_start();
	root = flash_begin();
	flash_define(root, "host", host_functions);
	flash_define(root, "f32Natives", f32_functions);
	flash_define(root, "frameNatives", frame_functions);
	flash_define(root, "ledgerNatives", ledger_functions);
	flash_define(root, "board", board_functions);
	flash_define(root, "uart", uart_functions);
	flash_define(root, "nor", nor_functions);
	flash_preload(root, &program);
	code = flash_link(root, &call);
	flash_end(root);
	chip_lock_flash();
	if (!strcmp(ARGUMENT, "\"write flash\"")) *(uint8_t*)TABLES = 0; /* a test that it is caught */
	paintStack();
	board_feed();
	chip_start_uart();
	chip_start_interrupts();
	if (STATIC) creation.staticSize = STATIC < BLOCK ? STATIC : BLOCK;
	machine = machine_create(root, &creation, block);
	machine_run(machine, code, call.codeSize);
	machine_report(machine);
	board_stack();
	printf("board: tables in flash %u B; C stack peak %u B; data, bss and block %u B\n", (unsigned)(tables - (uint8_t*)TABLES),
		deepest, (unsigned)(__bss_end - __data_start));
	board_exit(0);
}
