/*
 * `pipe`: the simulator drives a node in this machine over two pipes: it sends a command and gets an answer.
 * Numbers are doubles in the machine's own byte order: a count (32 bits), then so many. Buffers lie outside
 * the block, as a device's UART and flash do.
 */
#include "machine.h"
#include <signal.h>
#include <sys/prctl.h>

/* The simulator opens the pipes' ends by /proc/PID/fd, so no file is left behind. */
enum { COMMANDS = 10, ANSWERS = 11 };
enum { COMMAND_MAX = 1 + 4096, ANSWER_MAX = 4096 };
#define FAULT 0xffffffffu

static double command[COMMAND_MAX], answer[ANSWER_MAX];
static uint32_t command_count, answer_count;
static int others[2] = { -1, -1 };

/*
 * The machine lives no longer than the thread that started it; SIGINT is for the simulator, which then ends.
 */
void pipe_open(int parent) {
	int down[2], up[2];
	signal(SIGINT, SIG_IGN);
	signal(SIGPIPE, SIG_IGN);
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent || pipe(down) || pipe(up)) _exit(1);
	others[0] = up[0];
	others[1] = down[1];
	dup2(up[1], ANSWERS);
	close(up[1]);
	dup2(down[0], COMMANDS); /* last: once it exists, so does the other */
	close(down[0]);
}

static void put_bytes(const void* bytes, size_t size) {
	for (const uint8_t* at = bytes; size;) {
		ssize_t done = write(ANSWERS, at, size);
		if (done <= 0) _exit(0);
		at += done;
		size -= done;
	}
}

static void take_bytes(void* bytes, size_t size) {
	for (uint8_t* at = bytes; size;) {
		ssize_t done = read(COMMANDS, at, size);
		if (done <= 0) _exit(0); /* the simulator wants no more */
		at += done;
		size -= done;
	}
}

/* Instead of an answer: exit code, bytes asked, and the line. */
void pipe_fault(int code, const char* why) {
	uint32_t head[] = { FAULT, code, block_asked(), strlen(why) };
	put_bytes(head, sizeof head);
	put_bytes(why, strlen(why));
}

static void take_command(void) {
	take_bytes(&command_count, sizeof command_count);
	if (command_count < 1 || command_count > COMMAND_MAX) _exit(1);
	take_bytes(command, command_count * sizeof command[0]);
	for (int i = 0; i < 2; i++) { /* the simulator holds the other ends now */
		if (others[i] >= 0) close(others[i]);
		others[i] = -1;
	}
}

/*
 * Sends the prepared answer, waits for a command, copies its readings into a Float32Array. Returns its kind.
 */
static void next(txMachine* the) {
	size_t size;
	float* readings;
	put_bytes(&answer_count, sizeof answer_count);
	put_bytes(answer, answer_count * sizeof answer[0]);
	answer_count = 0;
	take_command();
	readings = (float*)bytes_of(the, mxArgv(0), &size);
	for (size_t i = 0; i < size / 4 && i + 1 < command_count; i++) readings[i] = (float)command[i + 1];
	mxResult->kind = XS_INTEGER_KIND;
	mxResult->value.integer = (txInteger)command[0];
}

static void argument(txMachine* the) {
	uint32_t i = fxToUnsigned(the, mxArgv(0));
	mxResult->kind = XS_NUMBER_KIND;
	mxResult->value.number = i + 1 < command_count ? command[i + 1] : NAN;
}

static void put(txMachine* the) {
	if (answer_count == ANSWER_MAX) mxRangeError("too long an answer");
	answer[answer_count++] = fxToNumber(the, mxArgv(0));
}

const HostFunction pipe_functions[] = {
	{ "next", next, 1 },
	{ "argument", argument, 1 },
	{ "put", put, 1 },
	{ NULL },
};
