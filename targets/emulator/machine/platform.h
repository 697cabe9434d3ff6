/* XS's platform, for Linux and for bare metal alike. */
#ifndef PLATFORM_H
#define PLATFORM_H
#ifdef __linux__
	#undef mxLinux
	#define mxLinux 1
	#include <arpa/inet.h>
	#include <pthread.h>
	#include <sys/time.h>
	#include <unistd.h>
#else
	#define c_signal(number, handler)
	#define mxUseDefaultCStackLimit 0
#endif
#include <ctype.h>
#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* A machine owns one fixed block, as on Moddable's microcontrollers; the root machine owns none. */
#define mxMachinePlatform \
	uint8_t* block; \
	uint8_t* chunksEnd; \
	uint8_t* slotsBegin; \
	int promiseJobs;

#define mxUseDefaultBuildKeys 1
#define mxUseDefaultParseScript (mxParse)
#define mxUseDefaultSharedChunks 1

/* XS's memory outside the block: key and name tables; everything, while "flash" is made. */
extern void* outside_malloc(size_t size);
extern void* outside_calloc(size_t count, size_t size);
extern void* outside_realloc(void* memory, size_t size);
extern void outside_free(void* memory);
#define c_malloc outside_malloc
#define c_calloc outside_calloc
#define c_realloc outside_realloc
#define c_free outside_free
#define c_malloc_uint32 outside_malloc
#define c_free_uint32 outside_free
extern void board_exit(int status) __attribute__((noreturn));
#define c_exit board_exit
#endif
