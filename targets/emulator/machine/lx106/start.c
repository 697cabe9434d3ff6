/*
 * A C program on QEMU's `sim` machine with an lx106: start, console, arguments and exit, which Debian's
 * picolibc for the chip lacks. QEMU's services: target/xtensa/xtensa-semi.c in its sources.
 */
#include <stdint.h>
#include <stdio.h>

enum { EXIT = 1, WRITE = 4, ARGUMENTS = 1000, ARGUMENT_BYTES = 1001, ARGUMENTS_TO = 1002 };
enum { MOST = 8, BYTES = 256 };

static int service(int number, int first, int second, int third) {
  register int a2 __asm__("a2") = number;
  register int a3 __asm__("a3") = first;
  register int a4 __asm__("a4") = second;
  register int a5 __asm__("a5") = third;
  __asm__ volatile("simcall" : "+r"(a2), "+r"(a3) : "r"(a4), "r"(a5) : "memory");
  return a2;
}

static int put(char c, FILE *file) {
  (void)file;
  service(WRITE, 1, (int)&c, 1);
  return (unsigned char)c;
}
static FILE console = FDEV_SETUP_STREAM(put, NULL, NULL, _FDEV_SETUP_WRITE);
FILE *const stdout = &console;

extern char __bss_start[], __bss_end[], __data_start[], __data_end[];
extern const char __data_source[];
int main(int count, char **given);

__attribute__((used)) static void begin(void) {
  static union {
    char *given[MOST];
    char bytes[BYTES];
  } arguments;
  for (char *to = __data_start; to < __data_end; to++) *to = __data_source[to - __data_start];
  for (char *to = __bss_start; to < __bss_end; to++) *to = 0;
  if (service(ARGUMENT_BYTES, 0, 0, 0) > BYTES) service(EXIT, 2, 0, 0);
  service(ARGUMENTS_TO, (int)&arguments, 0, 0);
  service(EXIT, main(service(ARGUMENTS, 0, 0, 0), arguments.given), 0, 0);
}

/* The chip's start address; QEMU's `sim` ignores the program's entry point. */
__asm__(".section .init,\"ax\"\n .global _start\n_start: j 1f\n .text\n"
        ".literal_position\n1: movi a1, __stack\n movi a0, begin\n jx a0\n");
