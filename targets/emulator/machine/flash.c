/*
 * Stands in for Moddable's linker `xsl`, which puts intrinsics, host functions and the preloaded program into
 * flash. npm has no xsl, so this makes a root machine outside the block, shares it, and clones it into the
 * block. Once shared, nothing in it may be written, and none of its pointers may reach the clone's collector,
 * which moves chunks.
 */
#include "machine.h"

extern void fxRemapIDs(txMachine* the, txByte* code, txSize size, txID* ids);

/* The stack has room for each constant of the bundled program: they are locals of one function. */
txMachine* flash_begin(void) {
	txCreation creation = { 192 * 1024, 16 * 1024, 12000, 1024, 4096, 4000, 256, 127, 127, 32 * 1024, 993, 0 };
	txMachine* root;
	txSlot* global;
	making_flash = 0;
	if (gxDefaults.initializeSharedCluster) gxDefaults.initializeSharedCluster(); /* written later: in RAM */
	making_flash = 1;
	block_give(NULL, 0);
	root = fxCreateMachine(&creation, "root", NULL, XS_NO_ID);
	if (!root) board_abort(ABORTED + XS_NOT_ENOUGH_MEMORY_EXIT, "memory full while flash was made");
	/* An exotic global caches look-ups in its own slots, which would write to flash. */
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

/*
 * Code with its identifiers known to the root. String and code literals stay, as in xsl's preloaded modules:
 * each is copied to a chunk when it is evaluated at run time.
 */
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

/* The slots from..end-1, and the slots of arrays among them, which lie in chunks. */
static void keepAllInPlace(txSlot* from, txSlot* end) {
	for (txSlot* slot = from; slot < end; slot++) {
		keepInPlace(slot);
		if (slot->kind == XS_ARRAY_KIND && slot->value.array.address) {
			txChunk* items = (txChunk*)((txByte*)slot->value.array.address - sizeof(txChunk));
			keepAllInPlace((txSlot*)(items + 1), (txSlot*)(items + 1) + fxGetIndexSize(NULL, slot));
		}
	}
}

void flash_end(txMachine* root) {
	fxShareMachine(root);
	for (txSlot* heap = root->firstHeap; heap; heap = heap->next) keepAllInPlace(heap + 1, heap->value.reference);
	keepAllInPlace(root->stack, root->stackTop);
	making_flash = 0;
}
