/*
 * A program on x-cli-lin brings its own C main and fxAbort: this one imports the module `main`, which finds the program's
 * argument as `host.argument()`, and ends when it has run.
 */
#include "xsAll.h"
#include "xs.h"
#include "xsmc.h"
#include "mc.xs.h"
#include <fcntl.h>
#include <poll.h>
#include <sys/random.h>

static char* argument = "";

/* Exit codes as the emulated machines have them. 71: memory full, 72: stack overflow, 75: uncaught exception. */
void fxAbort(xsMachine* the, int status) {
	fprintf(stderr, "program: %s\n", fxAbortString(status));
	exit(70 + status);
}

void host_print(xsMachine* the) { printf("%s\n", fxToString(the, mxArgv(0))); }
void host_argument(xsMachine* the) { xsResult = xsString(argument); }
void host_slots(xsMachine* the) { xsResult = xsInteger(the->currentHeapCount); }
void host_chunks(xsMachine* the) { xsResult = xsInteger(the->currentChunksSize); }
void host_collect(xsMachine* the) { xsCollectGarbage(); }

/* Counted in builds with -i only. */
void host_collections(xsMachine* the) {
#ifdef mxInstrument
	xsResult = xsInteger(the->garbageCollectionCount);
#else
	xsResult = xsInteger(0);
#endif
}

void host_noise(xsMachine* the) {
	uint32_t noise;
	if (getrandom(&noise, sizeof noise, 0) != sizeof noise) xsUnknownError("no random number");
	xsResult = xsNumber(noise);
}

/* ---- a whole node: its port is stdin and stdout, its flash the file that the argument names ---- */

static int flash = -1;

static xsUnsignedValue bytesOf(xsMachine* the, int i, void** data) {
	xsUnsignedValue count;
	xsmcGetBufferWritable(xsArg(i), data, &count);
	return count;
}

/* Bytes that have come, up to the buffer's length; -1 at the end of stdin. Never waits. */
void host_read(xsMachine* the) {
	void* to;
	xsUnsignedValue count = bytesOf(the, 0, &to);
	struct pollfd input = { 0, POLLIN, 0 };
	int got = 0;
	if (poll(&input, 1, 0) > 0) {
		got = read(0, to, count);
		if (got == 0) got = -1;
	}
	xsResult = xsInteger(got);
}

void host_write(xsMachine* the) {
	void* bytes;
	int from = fxToInteger(the, mxArgv(1)), to = fxToInteger(the, mxArgv(2)), wrote;
	bytesOf(the, 0, &bytes);
	wrote = write(1, (char*)bytes + from, to - from);
	xsResult = xsInteger(wrote < 0 ? 0 : wrote);
}

/* Waits for input, at most so many milliseconds. */
void host_pause(xsMachine* the) {
	struct pollfd input = { 0, POLLIN, 0 };
	poll(&input, 1, fxToInteger(the, mxArgv(0)));
}

void host_open(xsMachine* the) {
	flash = open(fxToString(the, mxArgv(0)), O_RDWR | O_CREAT, 0644);
	if (flash < 0) xsUnknownError("can't open the flash's file");
}

void host_flash_read(xsMachine* the) {
	void* to;
	xsUnsignedValue count = bytesOf(the, 1, &to);
	xsResult = xsBoolean(pread(flash, to, count, fxToInteger(the, mxArgv(0))) == (ssize_t)count);
}

void host_flash_write(xsMachine* the) {
	void* from;
	xsUnsignedValue count = bytesOf(the, 1, &from);
	xsResult = xsBoolean(pwrite(flash, from, count, fxToInteger(the, mxArgv(0))) == (ssize_t)count && fsync(flash) == 0);
}

void host_flash_size(xsMachine* the) { xsResult = xsInteger(lseek(flash, 0, SEEK_END)); }

int main(int argc, char* argv[]) {
	int code = 0;
	xsMachine* machine = fxPrepareMachine(NULL, xsPreparation(), "motelearn", NULL, NULL);
	if (argc > 1) argument = argv[1];
	xsBeginHost(machine);
	xsTry {
		xsAwaitImport("motelearn/dist/moddable/targets/linux/main", XS_IMPORT_NAMESPACE);
	}
	xsCatch {
		fprintf(stderr, "program: %s\n", fxToString(the, &mxException));
		code = 75;
	}
	xsEndHost(machine);
	xsDeleteMachine(machine);
	return code;
}
