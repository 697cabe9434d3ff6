/*
 * What Moddable's linker `xsl` puts into flash: intrinsics, host functions and the preloaded program. npm has no xsl, so
 * a root machine is made outside the block, shared, and cloned into it. Once shared, nothing in it may be written, and
 * none of its pointers may reach the clone's collector, which moves chunks.
 */
#include "machine.h"

extern void fxRemapIDs(txMachine* the, txByte* code, txSize size, txID* ids);

txMachine* flash_begin(void) {
	txCreation creation = { 192 * 1024, 16 * 1024, 12000, 1024, 1024, 4000, 256, 127, 127, 32 * 1024, 993, 0 };
	txMachine* root;
	txSlot* global;
	making_flash = 0;
	if (gxDefaults.initializeSharedCluster) gxDefaults.initializeSharedCluster(); /* written later: in RAM */
	making_flash = 1;
	block_give(NULL, 0);
	root = fxCreateMachine(&creation, "root", NULL, XS_NO_ID);
	if (!root) board_abort(ABORTED + XS_NOT_ENOUGH_MEMORY_EXIT, "memory full while flash was made");
	/* An exotic global caches look-ups in its own slots: it would be written in flash. */
	global = root->stackTop[-1 - mxGlobalStackIndex].value.reference;
	global->flag &= ~XS_EXOTIC_FLAG;
	global->next = global->next->next;
	return root;
}

/* Pops a value off the stack into object.name. */
static void setProperty(txMachine* the, txSlot* object, const char* name) {
	txSlot* property = mxBehaviorSetProperty(the, object, fxNewNameC(the, (txString)name), 0, XS_OWN);
	property->kind = the->stack->kind;
	property->value = the->stack->value;
	mxPop();
}

void flash_define(txMachine* the, const char* name, const HostFunction* functions) {
	fxBeginHost(the);
	mxPush(mxObjectPrototype);
	txSlot* object = fxNewObjectInstance(the);
	for (; functions->name; functions++) {
		fxNewHostFunction(the, functions->callback, functions->length, fxNewNameC(the, (txString)functions->name), XS_NO_ID);
		setProperty(the, object, functions->name);
	}
	setProperty(the, mxGlobal.value.reference, name);
	fxEndHost(the);
}

/* String and code literals are used where they lie. Both or neither: code that moves would take its strings along. */
static void useLiteralsInPlace(txByte* from, txByte* end) {
	while (from < end) {
		txU1* op = (txU1*)from;
		txS1 size = gxCodeSizes[*op];
		if (*op == XS_CODE_STRING_1 || *op == XS_CODE_STRING_2 || *op == XS_CODE_STRING_4)
			*op += XS_CODE_STRING_ARCHIVE_1 - XS_CODE_STRING_1;
		else if (*op == XS_CODE_CODE_1 || *op == XS_CODE_CODE_2 || *op == XS_CODE_CODE_4)
			*op += XS_CODE_CODE_ARCHIVE_1 - XS_CODE_CODE_1;
		if (size > 0) from += size;
		else if (size == 0) from += 1 + sizeof(txID);
		else if (size == -1) from += 2 + op[1];
		else if (size == -2) { txU2 n; from++; mxDecode2(from, n); from += n; }
		else { txS4 n; from++; mxDecode4(from, n); from += n; }
	}
}

/* Code with its identifiers known to the root. */
txByte* flash_link(txMachine* root, const Bytecode* bytecode) {
	txByte* symbol = (txByte*)bytecode->symbols;
	txByte* code = c_malloc(bytecode->codeSize);
	txID count, *ids;
	memcpy(code, bytecode->code, bytecode->codeSize);
	mxDecodeID(symbol, count);
	ids = c_malloc(count * sizeof(txID));
	ids[0] = XS_NO_ID;
	for (txID i = 1; i < count; i++) {
		ids[i] = fxNewNameC(root, (txString)symbol);
		symbol += strlen((char*)symbol) + 1;
	}
	fxRemapIDs(root, code, bytecode->codeSize, ids);
	useLiteralsInPlace(code, code + bytecode->codeSize);
	c_free(ids);
	return code;
}

/* Runs a program whose objects stay in flash. */
void flash_preload(txMachine* root, const Bytecode* bytecode) {
	machine_run(root, flash_link(root, bytecode), bytecode->codeSize);
	fxCollectGarbage(root);
}

static void keepInPlace(txSlot* slot) {
	if (slot->kind == XS_STRING_KIND) slot->kind = XS_STRING_X_KIND;
	else if (slot->kind == XS_KEY_KIND) slot->kind = XS_KEY_X_KIND;
	else if (slot->kind == XS_BIGINT_KIND) slot->kind = XS_BIGINT_X_KIND;
	else if (slot->kind == XS_CODE_KIND) slot->kind = XS_CODE_X_KIND;
}

void flash_end(txMachine* root) {
	fxShareMachine(root);
	for (txSlot* heap = root->firstHeap; heap; heap = heap->next)
		for (txSlot* slot = heap + 1; slot < heap->value.reference; slot++) keepInPlace(slot);
	for (txSlot* slot = root->stack; slot < root->stackTop; slot++) keepInPlace(slot);
	making_flash = 0;
}
