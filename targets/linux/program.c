/*
 * A program on x-cli-lin brings its own C main and fxAbort: this one imports the module `main`, which finds
 * the program's argument as `host.argument()`, and ends when it has run. The argument is JSON, or the name of
 * a file with it: other users see a program's arguments, and a password belongs into a file. A second argument
 * is the archive of a mod, as mcrun makes it.
 */
#include "xsAll.h"
#include "xs.h"
#include "xsmc.h"
#include "mc.xs.h"
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/random.h>
#include <time.h>

static char* argument = "";
/* True if timers and sockets keep the program running once the module has run. */
static gboolean stays = FALSE;

/*
 * Exit codes as the emulated machines have them. 71: memory full, 72: stack overflow, 75: uncaught exception.
 */
void fxAbort(xsMachine* the, int status) {
	const char* what = status == XS_UNHANDLED_EXCEPTION_EXIT ? fxToString(the, &mxException) : fxAbortString(status);
	fprintf(stderr, "program: %s\n", what);
	exit(70 + status);
}

void host_print(xsMachine* the) {
	printf("%s\n", fxToString(the, mxArgv(0)));
	fflush(stdout);
}
void host_argument(xsMachine* the) { xsResult = xsString(argument); }

/* A file's bytes and a 0; NULL if it can't be read. */
static char* textOf(const char* path, size_t* length) {
	FILE* file = fopen(path, "rb");
	char* text = NULL;
	size_t room = 1 << 16, count = 0;
	if (!file) return NULL;
	while ((text = realloc(text, room))) {
		count += fread(text + count, 1, room - count - 1, file);
		if (count < room - 1) break;
		room *= 2;
	}
	if (text) text[count] = 0;
	*length = count;
	if (ferror(file)) {
		free(text);
		text = NULL;
	}
	fclose(file);
	return text;
}

/* The bytes of the file that is the first argument. */
static char* givenFile(xsMachine* the, size_t* length) {
	char* path = fxToString(the, mxArgv(0));
	char* text = textOf(path, length);
	if (!text) xsUnknownError("%s: can't be read", path);
	return text;
}

void host_text(xsMachine* the) {
	size_t length;
	char* text = givenFile(the, &length);
	xsResult = xsString(text);
	free(text);
}

void host_bytes(xsMachine* the) {
	size_t length;
	char* bytes = givenFile(the, &length);
	xsmcSetArrayBuffer(xsResult, bytes, length);
	free(bytes);
}

void host_slots(xsMachine* the) { xsResult = xsInteger(the->currentHeapCount); }
void host_chunks(xsMachine* the) { xsResult = xsInteger(the->currentChunksSize); }
void host_stay(xsMachine* the) { stays = fxToBoolean(the, mxArgv(0)); }
void host_collect(xsMachine* the) { xsCollectGarbage(); }

void host_noise(xsMachine* the) {
	uint32_t noise;
	if (getrandom(&noise, sizeof noise, 0) != sizeof noise) xsUnknownError("no random number");
	xsResult = xsNumber(noise);
}

/* Milliseconds that nobody sets: a machine without a battery starts in 1970, and learns the time later. */
void host_milliseconds(xsMachine* the) {
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	xsResult = xsNumber(1000.0 * now.tv_sec + now.tv_nsec / 1000000);
}

/* ---- a whole node: stdin, whose end ends it, and its flash, the file that the argument names ---- */

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

/* ---- a mod: a copy of its archive, which XS maps as it does a board's flash ---- */

enum { ARCHIVE_MAX = 1 << 20, SECTOR = 4096 };
static unsigned char archive[ARCHIVE_MAX + SECTOR];
static int mod = 0;

static txBoolean archiveRead(void* from, size_t offset, void* into, size_t size) {
	if (offset + size > sizeof archive) return 0;
	memcpy(into, (unsigned char*)from + offset, size);
	return 1;
}

static txBoolean archiveWrite(void* to, size_t offset, void* from, size_t size) {
	if (offset + size > sizeof archive) return 0;
	memcpy((unsigned char*)to + offset, from, size);
	return 1;
}

/* A missing file, or one that isn't an archive, counts as no mod. */
static void map(xsMachine* the, const char* path) {
	FILE* file = fopen(path, "rb");
	memset(archive, 0xff, sizeof archive);
	if (file) {
		fread(archive, 1, ARCHIVE_MAX, file);
		fclose(file);
	}
	if (memcmp(archive + 4, "XS_A", 4) != 0) return;
	void* mapped = fxMapArchive(the, the->preparation, archive, SECTOR, archiveRead, archiveWrite);
	if (mapped) fxSetArchive(the, mapped);
	mod = mapped ? 1 : -1;
}

void host_mod(xsMachine* the) { xsResult = xsInteger(mod); }

/* MOTELEARN_XS="BYTES SLOTS": XS's memory, as fixed as a board's: bytes of chunks, and slots. */
static void limit(txCreation* creation) {
	const char* given = getenv("MOTELEARN_XS");
	int chunk, slots;
	if (!given || sscanf(given, "%d %d", &chunk, &slots) != 2) return;
	creation->initialChunkSize = chunk;
	creation->initialHeapCount = slots;
	creation->incrementalChunkSize = creation->incrementalHeapCount = 0;
}

int main(int argc, char* argv[]) {
	int code = 0;
	txPreparation* preparation = xsPreparation();
	txCreation creation = preparation->creation;
	size_t length;
	limit(&creation);
	xsMachine* machine = fxPrepareMachine(&creation, preparation, "motelearn", NULL, NULL);
	signal(SIGPIPE, SIG_IGN); /* a broker that is gone: the write fails */
	if (argc > 1) argument = argv[1][0] == '{' ? argv[1] : textOf(argv[1], &length);
	if (!argument) {
		fprintf(stderr, "program: %s: can't be read\n", argv[1]);
		return 75;
	}
	if (argc > 2) map(machine, argv[2]);
	xsBeginHost(machine);
	xsTry {
		xsAwaitImport("motelearn/dist/moddable/targets/linux/main", XS_IMPORT_NAMESPACE);
		while (g_main_context_iteration(NULL, stays) || stays) {} /* promises, then timers and sockets */
	}
	xsCatch {
		fprintf(stderr, "program: %s\n", fxToString(the, &mxException));
		code = 75;
	}
	xsEndHost(machine);
	xsDeleteMachine(machine);
	return code;
}
