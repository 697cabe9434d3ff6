/* An XS machine in one fixed block, its intrinsics and its preloaded program outside it. */
#ifndef MACHINE_H
#define MACHINE_H
#include "xsAll.h"
#include "xsScript.h"

/* A function that JavaScript finds as `object.name`. */
typedef struct {
	const char* name;
	txCallback callback;
	int length;
} HostFunction;

/* The parser's output: code whose identifiers index the symbols. */
typedef struct {
	const uint8_t* symbols;
	const uint8_t* code;
	int codeSize;
} Bytecode;

/* block.c */
extern size_t outside_now, outside_peak;
extern int making_flash; /* > 0: allocations stand for tables in flash */
void block_give(void* memory, size_t size); /* the block of the next machine; NULL: none */
size_t block_room(size_t size); /* host memory for a block of so many bytes */
size_t block_left(txMachine* the);
size_t block_asked(void); /* bytes of the last request that failed, 0 if none */

/* flash.c */
txMachine* flash_begin(void);
void flash_define(txMachine* root, const char* object, const HostFunction* functions);
txByte* flash_link(txMachine* root, const Bytecode* bytecode);
void flash_preload(txMachine* root, const Bytecode* bytecode);
void flash_end(txMachine* root);

/* run.c */
txMachine* machine_create(txMachine* root, txCreation* creation, void* block);
void machine_settle(txMachine* the, int atExit); /* runs the jobs of settled promises */
void machine_run(txMachine* the, txByte* code, int codeSize);
void machine_report(txMachine* the);
int machine_stack(txMachine* the); /* slots of its stack that were ever in use */

/*
 * natives_host.c; natives_f32.c with ../../moddable/native-f32.c, natives_frames.c and natives_ledger.c with
 * ../../moddable/native-frames.c and native-ledger.c
 */
extern const HostFunction host_functions[], f32_functions[], frame_functions[], ledger_functions[];
uint8_t* bytes_of(txMachine* the, txSlot* value, size_t* size); /* of a typed array; a collection moves them */

/*
 * Exit code of an abort of XS: this and its status. 71: memory full, 72: stack overflow, 75: exception, 77:
 * too long.
 */
#define ABORTED 70

/* Each board's own functions: linux.c, firmware.c. */
void* board_malloc(size_t size, int flash);
void board_free(void* memory, int flash);
void board_abort(int code, const char* why) __attribute__((noreturn));
const char* board_argument(void);
double board_instructions(void);
void board_watch_stack(void); /* starts to watch the C stack's depth */
unsigned board_stack(void); /* its most bytes since then; 0: not watched */
void board_feed(void); /* resets the watchdog, if any */
#endif
