/*
 * The machine as a Linux program.
 *   machine --block BYTES [--meter TICKS] PROGRAM ARGUMENT   preloads the program, then calls its main()
 *   machine --block BYTES --serve PID PROGRAM ARGUMENT       the same for a node that process PID drives over pipes (pipe.c)
 *   machine --compile OUT.c PROGRAM                     bytecode of the program and of the call, as C for the firmware
 *   machine --sizes MODULE...                           bytes of each module's bytecode, and of the names that it uses, one module a line
 */
#include "machine.h"

static const char* argument = "";
static txU4 meter_limit;
static int parent; /* that drives this machine; 0: none */

/* pipe.c */
void pipe_open(int parent);
void pipe_fault(int code, const char* why);
extern const HostFunction pipe_functions[];

void* board_malloc(size_t size, int flash) { return (malloc)(size); }
void board_free(void* memory, int flash) { (free)(memory); }
const char* board_argument(void) { return argument; }
double board_instructions(void) { return 0; }
void board_watch_stack(void) {}
unsigned board_stack(void) { return 0; }
void board_feed(void) {} /* here the meter stops a program that hangs */

void board_exit(int status) {
	fflush(stdout);
	_exit(status);
}

void board_abort(int code, const char* why) {
	fflush(stdout);
	if (parent) pipe_fault(code, why);
	else fprintf(stderr, "machine: %s\n", why);
	board_exit(code);
}

static txBoolean mayGoOn(txMachine* the, txU4 index) { return index < meter_limit; }

static char* readFile(const char* path) {
	FILE* file = fopen(path, "rb");
	char* text;
	long size;
	if (!file) board_abort(2, "no such program");
	fseek(file, 0, SEEK_END);
	size = ftell(file);
	rewind(file);
	text = (malloc)(size + 1);
	size = fread(text, 1, size, file);
	text[size] = 0;
	fclose(file);
	return text;
}

static txScript* parseAs(txMachine* the, char* source, txUnsigned flags) {
	txStringCStream stream = { source, 0, strlen(source) };
	txScript* script = fxParseScript(the, &stream, fxStringCGetter, flags);
	if (!script || script->codeSize == 0) board_abort(3, "the program doesn't parse");
	return script;
}

static txScript* parse(txMachine* the, char* source) { return parseAs(the, source, mxProgramFlag); }

static Bytecode bytecodeOf(txScript* script) {
	Bytecode bytecode = { (uint8_t*)script->symbolsBuffer, (uint8_t*)script->codeBuffer, script->codeSize };
	return bytecode;
}

static void writeArray(FILE* file, const char* name, const void* bytes, int size) {
	const uint8_t* byte = bytes;
	fprintf(file, "const unsigned char %s[] = {", name);
	for (int i = 0; i < size; i++) fprintf(file, "%s%d,", i % 24 ? "" : "\n", byte[i]);
	fprintf(file, "\n};\nconst int %s_size = %d;\n", name, size);
}

static void writeScript(FILE* file, const char* name, txScript* script) {
	char array[64];
	snprintf(array, sizeof array, "%s_symbols", name);
	writeArray(file, array, script->symbolsBuffer, script->symbolsSize);
	snprintf(array, sizeof array, "%s_code", name);
	writeArray(file, array, script->codeBuffer, script->codeSize);
}

static char call[] = "main()";

static void compile(txMachine* root, const char* path, const char* out) {
	FILE* file = fopen(out, "w");
	if (!file) board_abort(2, "can't write the bytecode");
	writeScript(file, "program", parse(root, readFile(path)));
	writeScript(file, "call", parse(root, call));
	fclose(file);
}

static void sizes(txMachine* root, char** paths, int count) {
	for (int i = 0; i < count; i++) {
		txScript* script = parseAs(root, readFile(paths[i]), 0);
		printf("%d %d\n", script->codeSize, script->symbolsSize);
	}
}

static void run(txMachine* root, const char* path, txCreation* creation) {
	Bytecode program = bytecodeOf(parse(root, readFile(path)));
	Bytecode main = bytecodeOf(parse(root, call));
	void* block = aligned_alloc(16, block_room(creation->staticSize));
	txByte* code;
	txMachine* the;
	flash_preload(root, &program);
	code = flash_link(root, &main);
	flash_end(root);
	the = machine_create(root, creation, block);
	if (meter_limit) fxBeginMetering(the, mayGoOn, 10000);
	machine_run(the, code, main.codeSize);
	machine_report(the);
}

int main(int argc, char** argv) {
	/* The `creation` of an ESP32-C3 board. */
	txCreation creation = { 1536, 512, 512, 64, 576, 32, 16, 127, 127, 8 * 1024, 127, 94208 };
	const char *out = NULL, *path = NULL;
	int listed = 0; /* the first module whose size is printed; 0: none */
	txMachine* root;
	for (int i = 1; i < argc && !listed; i++) {
		if (!strcmp(argv[i], "--block")) creation.staticSize = atoi(argv[++i]);
		else if (!strcmp(argv[i], "--meter")) meter_limit = strtoul(argv[++i], NULL, 10);
		else if (!strcmp(argv[i], "--serve")) parent = atoi(argv[++i]);
		else if (!strcmp(argv[i], "--compile")) out = argv[++i];
		else if (!strcmp(argv[i], "--sizes")) listed = i + 1;
		else if (!path) path = argv[i];
		else argument = argv[i];
	}
	if (parent) pipe_open(parent);
	root = flash_begin();
	flash_define(root, "host", host_functions);
	flash_define(root, "f32Natives", f32_functions);
	flash_define(root, "frameNatives", frame_functions);
	flash_define(root, "ledgerNatives", ledger_functions);
	flash_define(root, "pipe", pipe_functions);
	if (listed) sizes(root, argv + listed, argc - listed);
	else if (out) compile(root, path, out);
	else run(root, path, &creation);
	board_exit(0);
}
