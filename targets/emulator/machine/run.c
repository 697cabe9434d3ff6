/* Makes, runs and reports the machine in its block, and prints the one line with which it gives up. */
#include "machine.h"

/* Fills the stack at the start, to see afterwards how deep it went: the engine's own figure knows no native function's frame. */
#define PAINT 0xa5

txMachine* machine_create(txMachine* root, txCreation* creation, void* block) {
	txMachine* the;
	creation->nameModulo = root->nameModulo;
	creation->symbolModulo = root->symbolModulo;
	block_give(block, creation->staticSize);
	the = fxCloneMachine(creation, root, "main", NULL);
	if (!the) board_abort(ABORTED + XS_NOT_ENOUGH_MEMORY_EXIT, "memory full: no machine fits into the block");
	memset(the->stackBottom, PAINT, (uint8_t*)the->stack - (uint8_t*)the->stackBottom);
	return the;
}

static int isPainted(const txSlot* slot) {
	const uint8_t* bytes = (const uint8_t*)slot;
	for (size_t i = 0; i < sizeof *slot; i++) if (bytes[i] != PAINT) return 0;
	return 1;
}

/* From the top: where numbers are printed, the engine uses what is free at the stack's bottom. */
int machine_stack(txMachine* the) {
	static int slots;
	int count = (int)(the->stackTop - the->stackBottom);
	while (slots < count && !isPainted(the->stackTop - 1 - slots)) slots++;
	return slots;
}

void machine_settle(txMachine* the, int atExit) {
	while (the->promiseJobs) {
		the->promiseJobs = 0;
		fxRunPromiseJobs(the);
	}
	fxEndJob(the);
	fxCheckUnhandledRejections(the, atExit);
}

void machine_run(txMachine* the, txByte* code, int codeSize) {
	txScript script = { 0 };
	script.codeBuffer = code;
	script.codeSize = codeSize;
	script.path = "program";
	fxBeginHost(the);
	mxTry(the) {
		txSlot* realm = mxProgram.value.reference->next->value.module.realm;
		fxRunScript(the, &script, mxRealmGlobal(realm), C_NULL, mxRealmClosures(realm)->value.reference, C_NULL,
			mxProgram.value.reference);
		mxPullSlot(mxResult);
	}
	mxCatch(the) {
		fxAbort(the, XS_UNHANDLED_EXCEPTION_EXIT);
	}
	fxEndHost(the);
	machine_settle(the, 1);
}

/* The engine's slots and bytes. */
void machine_report(txMachine* the) {
	printf("machine: slot %u B; slots now %d, peak %d; chunks now %d B, peak %d B; block left %u B; stack peak %d slots; "
		"outside peak %u B\n",
		(unsigned)sizeof(txSlot), (int)the->currentHeapCount, (int)the->peakHeapCount, (int)the->currentChunksSize,
		(int)the->peakChunksSize, (unsigned)block_left(the), machine_stack(the), (unsigned)outside_peak);
}

/* XS gives up: one line, and exit code 70 + status. */
void fxAbort(txMachine* the, int status) {
	static const char* const reasons[] = { "debugger", "memory full", "stack overflow", "fatal check", "dead strip",
		"unhandled exception", "not enough keys", "too much computation", "unhandled rejection" };
	static char line[512];
	const char* reason = status >= 0 && status < 9 ? reasons[status] : "unknown";
	if (status == XS_NOT_ENOUGH_MEMORY_EXIT && block_asked())
		snprintf(line, sizeof line, "%s: %u bytes asked, %u left in the block", reason, (unsigned)block_asked(),
			(unsigned)block_left(the));
	else if (status == XS_UNHANDLED_EXCEPTION_EXIT || status == XS_UNHANDLED_REJECTION_EXIT)
		snprintf(line, sizeof line, "%s: %s", reason, fxToString(the, &mxException));
	else snprintf(line, sizeof line, "%s", reason);
	board_abort(ABORTED + status, line);
}

/* One program, no modules, no parser in the machine. */
txID fxFindModule(txMachine* the, txSlot* realm, txID moduleID, txSlot* slot) { return XS_NO_ID; }
void fxLoadModule(txMachine* the, txSlot* module, txID moduleID) {}
void fxQueuePromiseJobs(txMachine* the) { the->promiseJobs = 1; }
#if !mxParse
txScript* fxParseScript(txMachine* the, void* stream, txGetter getter, txUnsigned flags) { return NULL; }
#endif
