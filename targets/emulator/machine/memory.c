/*
 * memcpy, memmove and memset by words. ESP-IDF links newlib's from the chips' ROM, which copy aligned data by
 * words unless newlib was built for size; which build a chip has wasn't measured. Debian's picolibc is built
 * for size and goes byte by byte, and the engine copies each slot's value with memcpy.
 */
#include <stddef.h>
#include <stdint.h>

#pragma GCC optimize("no-tree-loop-distribute-patterns")

typedef uint32_t __attribute__((may_alias)) word;

static int aligned(const void* a, const void* b) { return (((uintptr_t)a | (uintptr_t)b) & 3) == 0; }

void* memcpy(void* restrict to, const void* restrict from, size_t n) {
	uint8_t* d = to;
	const uint8_t* s = from;
	if (aligned(d, s))
		for (; n >= 4; n -= 4, d += 4, s += 4) *(word*)d = *(const word*)s;
	while (n--) *d++ = *s++;
	return to;
}

void* memmove(void* to, const void* from, size_t n) {
	uint8_t* d = to;
	const uint8_t* s = from;
	if (d <= s || d >= s + n) return memcpy(to, from, n);
	d += n;
	s += n;
	if (aligned(d, s))
		for (; n >= 4; n -= 4) *(word*)(d -= 4) = *(const word*)(s -= 4);
	while (n--) *--d = *--s;
	return to;
}

void* memset(void* to, int value, size_t n) {
	uint8_t* d = to;
	word four = (uint8_t)value * 0x01010101u;
	if (aligned(d, d))
		for (; n >= 4; n -= 4, d += 4) *(word*)d = four;
	while (n--) *d++ = (uint8_t)value;
	return to;
}
