/*
 * The functions of frame.c as functions of XS, in the Moddable SDK (XS 17) and in the emulator (XS 13). Every index is checked
 * against the bytes that it is into, as what comes over a line ends up here. A typed array's bytes are a chunk, which moves at a
 * collection: nothing here allocates while a pointer is held, but to throw.
 * By the engine's own slots, see native-f32.c.
 */
#include "xsAll.h"
#include "../../src/wire/frame.h"
#include "native-frames.h"

typedef struct {
	uint8_t* bytes;
	int32_t size;
} Bytes;

/* The bytes of a typed array; none, of any other value. */
static Bytes arrayIn(txSlot* value) {
	Bytes none = { NULL, 0 };
	txSlot* array = value->kind == XS_REFERENCE_KIND ? value->value.reference->next : NULL;
	if (!array || array->kind != XS_TYPED_ARRAY_KIND) return none;
	txSlot* view = array->next;
	txSlot* buffer = view->next->value.reference->next;
	Bytes found = { (uint8_t*)buffer->value.arrayBuffer.address + view->value.dataView.offset, view->value.dataView.size };
	return found;
}

static Bytes bytesAt(txMachine* the, int i) {
	Bytes found = { NULL, 0 };
	if (mxArgc > i) found = arrayIn(mxArgv(i));
	if (!found.bytes) mxTypeError("bytes: no typed array");
	return found;
}

static int32_t whole(txMachine* the, int i) {
	if (mxArgc <= i) mxTypeError("too few arguments");
	txSlot* slot = mxArgv(i);
	if (slot->kind == XS_INTEGER_KIND) return slot->value.integer;
	if (slot->kind == XS_NUMBER_KIND && slot->value.number > -9e15 && slot->value.number < 9e15)
		return (int32_t)(int64_t)slot->value.number; /* by int64_t: a word beyond 2^31 keeps its bits */
	mxTypeError("argument: no number");
	return 0;
}

/* An index from 0 to `most`. */
static int32_t indexAt(txMachine* the, int i, int32_t most) {
	int32_t at = whole(the, i);
	if (at < 0 || at > most) mxRangeError("index: beyond the bytes");
	return at;
}

/* The properties of an object from its first one on. */
static txSlot* propertiesAt(txMachine* the, int i) {
	txSlot* first = mxArgc > i && mxArgv(i)->kind == XS_REFERENCE_KIND ? mxArgv(i)->value.reference->next : NULL;
	if (!first) mxTypeError("no object");
	return first;
}

/* `Format.codes`. */
static txString codesAt(txMachine* the, int i) {
	txSlot* first = propertiesAt(the, i);
	if (first->kind != XS_STRING_KIND && first->kind != XS_STRING_X_KIND) mxTypeError("format: no codes");
	return first->value.string;
}

static void giveInteger(txMachine* the, int32_t value) {
	mxResult->kind = XS_INTEGER_KIND;
	mxResult->value.integer = value;
}

static void giveBoolean(txMachine* the, int32_t value) {
	mxResult->kind = XS_BOOLEAN_KIND;
	mxResult->value.boolean = value;
}

static double numberIn(txMachine* the, txSlot* slot) {
	if (slot->kind == XS_INTEGER_KIND) return slot->value.integer;
	if (slot->kind != XS_NUMBER_KIND) mxTypeError("field: no number");
	return slot->value.number;
}

static void setNumber(txSlot* slot, char code, double value) {
	if (code != FRAME_F32 && value <= 0x7fffffff) {
		slot->kind = XS_INTEGER_KIND;
		slot->value.integer = (txInteger)value;
	} else {
		slot->kind = XS_NUMBER_KIND;
		slot->value.number = value;
	}
}

/* Where the fields of a message lie in its record: behind `length` one after the other, or at `places` of a record that is shared. */
typedef struct {
	txSlot* first;
	txSlot* last;
	const uint8_t* places;
} Record;

/* A shared record says behind `length` which way it goes, and so which places the format has for it: `up` or `down`. */
static Record recordAt(txMachine* the, int i, int formatAt) {
	Record record = { propertiesAt(the, i), NULL, NULL };
	txSlot* way = record.first->next;
	record.last = record.first;
	if (way && way->kind == XS_BOOLEAN_KIND) {
		txSlot* places = propertiesAt(the, formatAt)->next;
		if (places && !way->value.boolean) places = places->next;
		if (!places || (places->kind != XS_STRING_KIND && places->kind != XS_STRING_X_KIND)) mxTypeError("format: no places");
		record.places = (const uint8_t*)places->value.string;
	}
	return record;
}

/* The property of the next field; they are asked for in their order. */
static txSlot* nextField(txMachine* the, Record* record) {
	txSlot* field = record->last->next;
	if (record->places) {
		int32_t place = *record->places;
		field = place ? record->first : NULL;
		if (place) record->places++;
		for (; field && place; place--) field = field->next;
	}
	if (!field) mxTypeError("record: too few fields");
	record->last = field;
	return field;
}

static int32_t elementsOf(txMachine* the, txSlot* field, int32_t size, void** elements) {
	Bytes array = arrayIn(field);
	if (!array.bytes && array.size > 0) mxTypeError("field: no array");
	*elements = array.bytes;
	return array.size / size;
}

/* What `code` takes of its array: all of a text, `length` elements of a rest. */
static int32_t countOf(char code, int32_t elements, double length) {
	if (code == FRAME_TEXT16) return elements < 16 ? elements : 16;
	return length < elements ? (length > 0 ? (int32_t)length : 0) : elements;
}

static int32_t pack(txMachine* the) {
	Bytes frame = bytesAt(the, 0);
	int32_t at = indexAt(the, 1, frame.size);
	txString codes = codesAt(the, 2);
	Record record = recordAt(the, 3, 2);
	double length = numberIn(the, record.first);
	for (; *codes; codes++) {
		char code = *codes;
		int32_t bytes = frame_size(code);
		txSlot* field = nextField(the, &record);
		if (frame_is_rest(code) || code == FRAME_TEXT16) {
			void* elements;
			int32_t size = code == FRAME_TEXT16 ? 1 : bytes;
			int32_t count = countOf(code, elementsOf(the, field, size, &elements), length);
			bytes = count * size;
			if (bytes > frame.size - at) mxRangeError("frame: too short");
			if (count > 0) frame_put_array(frame.bytes, at, code, elements, count);
		} else {
			if (bytes > frame.size - at) mxRangeError("frame: too short");
			frame_put(frame.bytes, at, code, numberIn(the, field));
		}
		at += bytes;
	}
	return at;
}

static int32_t unpack(txMachine* the) {
	Bytes frame = bytesAt(the, 0);
	int32_t at = indexAt(the, 1, frame.size);
	int32_t end = at + indexAt(the, 2, frame.size - at);
	txString codes = codesAt(the, 3);
	Record record = recordAt(the, 4, 3);
	setNumber(record.first, FRAME_U32, 0);
	for (; *codes; codes++) {
		char code = *codes;
		int32_t bytes = frame_size(code);
		txSlot* field = nextField(the, &record);
		if (frame_is_rest(code) || code == FRAME_TEXT16) {
			void* elements;
			int32_t size = code == FRAME_TEXT16 ? 1 : bytes;
			int32_t room = elementsOf(the, field, size, &elements);
			int32_t count = at < end ? (end - at) / size : 0;
			if (code == FRAME_TEXT16 && count > 16) count = 16;
			if (count > room) count = room;
			if (code != FRAME_TEXT16) setNumber(record.first, FRAME_U32, count);
			if (count == 0 && room > 0) memset(elements, 0, (size_t)room * size);
			if (count > 0 && !frame_get_array(frame.bytes, at, code, elements, count)) return 0;
		} else {
			setNumber(field, code, bytes <= end - at ? frame_get(frame.bytes, at, code) : 0);
		}
		at += bytes;
	}
	return 1;
}

static int32_t closeFrame(txMachine* the) {
	Bytes frame = bytesAt(the, 0);
	int32_t end = frame_close(frame.bytes, frame.size, whole(the, 1), (uint32_t)whole(the, 2), (uint32_t)whole(the, 3));
	if (end < 0) mxRangeError("frame: too short");
	return end;
}

static int32_t gather(txMachine* the) {
	Bytes frame = bytesAt(the, 0), bytes = bytesAt(the, 2);
	int32_t to = indexAt(the, 4, bytes.size);
	return frame_gather(frame.bytes, frame.size, whole(the, 1), bytes.bytes, indexAt(the, 3, to), to);
}

static int32_t unstuff(txMachine* the) {
	Bytes frame = bytesAt(the, 0);
	return frame_unstuff(frame.bytes, frame.size, whole(the, 1));
}

static int32_t residue(txMachine* the) {
	Bytes frame = bytesAt(the, 0);
	int32_t check = indexAt(the, 1, frame.size - 4);
	return frame_residue(frame.bytes, check, (uint32_t)whole(the, 2));
}

/* The hash of what sign and isSigned are given; `at`: where it lies. */
static uint64_t hash(txMachine* the, uint8_t** at) {
	Bytes bytes = bytesAt(the, 0), key = bytesAt(the, 3);
	int32_t to = indexAt(the, 2, bytes.size - 8);
	uint32_t words[4];
	if (key.size != sizeof words) mxRangeError("key: not 16 bytes");
	memcpy(words, key.bytes, sizeof words);
	*at = bytes.bytes + to;
	return frame_hash(bytes.bytes, indexAt(the, 1, to), to, words, (uint32_t)whole(the, 4), (uint32_t)whole(the, 5));
}

static void sign(txMachine* the) {
	uint8_t* at;
	uint64_t tag = hash(the, &at);
	for (int i = 0; i < 8; i++) at[i] = (uint8_t)(tag >> 8 * i);
}

static int32_t isSigned(txMachine* the) {
	uint8_t* at;
	uint64_t wrong = hash(the, &at);
	for (int i = 0; i < 8; i++) wrong ^= (uint64_t)at[i] << 8 * i;
	return wrong == 0;
}

#define NATIVE(name, length, body) void motelearn_frame_##name(txMachine* the) { body; }
FRAME_NATIVES(NATIVE)
