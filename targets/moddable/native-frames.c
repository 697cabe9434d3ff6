/*
 * The functions of frame.c as functions of XS, in the Moddable SDK (XS 17) and in the emulator (XS 13). Every
 * index is checked against its bytes, since data from a line ends up here. A typed array's bytes are a chunk,
 * which a collection moves: while a pointer is held, nothing allocates except a throw. For the engine's slots
 * see native-f32.c.
 */
#include "xsAll.h"
#include "../../src/wire/frame.h"
#include "native-frames.h"

typedef struct {
	uint8_t* bytes;
	int32_t size;
} Bytes;

/* The bytes of a typed array; none for any other value. */
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

/*
 * Where a message's fields lie in its record: one after the other behind `length`, or at the `places` of a
 * shared record, with whole numbers among its `numbers` and other values among its properties.
 */
typedef struct {
	txSlot* first;
	txSlot* last;
	const uint8_t* places;
	Bytes numbers;
} Record;

/*
 * Behind `length`, a shared record has its direction, `up` or `down`, which selects the format's places. Its
 * numbers follow.
 */
static Record recordAt(txMachine* the, int i, int formatAt) {
	Record record = { propertiesAt(the, i), NULL, NULL, { NULL, 0 } };
	txSlot* way = record.first->next;
	record.last = record.first;
	if (way && way->kind == XS_BOOLEAN_KIND) {
		txSlot* places = propertiesAt(the, formatAt)->next;
		if (places && !way->value.boolean) places = places->next;
		if (!places || (places->kind != XS_STRING_KIND && places->kind != XS_STRING_X_KIND)) mxTypeError("format: no places");
		if (way->next) record.numbers = arrayIn(way->next);
		if (!record.numbers.bytes) mxTypeError("record: no numbers");
		record.places = (const uint8_t*)places->value.string;
	}
	return record;
}

/* The property of the next field; callers ask in the fields' order. */
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

/* True if the next field, of that letter, is one of the record's numbers. */
static int32_t isAmongNumbers(const Record* record, char code) {
	return record->numbers.bytes && (code == FRAME_U8 || code == FRAME_U16 || code == FRAME_U32);
}

/* Where that number lies. It is copied, since a typed array's words may be unaligned. */
static uint8_t* nextAmongNumbers(txMachine* the, Record* record) {
	int32_t place = *record->places;
	if (place == 0 || place >= record->numbers.size / 4) mxRangeError("record: beyond its numbers");
	record->places++;
	return record->numbers.bytes + 4 * place;
}

static double nextNumber(txMachine* the, Record* record, char code) {
	uint32_t word;
	if (!isAmongNumbers(record, code)) return numberIn(the, nextField(the, record));
	memcpy(&word, nextAmongNumbers(the, record), sizeof word);
	return word;
}

static void setNextNumber(txMachine* the, Record* record, char code, double value) {
	uint32_t word = (uint32_t)value;
	if (isAmongNumbers(record, code)) memcpy(nextAmongNumbers(the, record), &word, sizeof word);
	else setNumber(nextField(the, record), code, value);
}

/* The elements of so many bytes in an array; none of any other value. */
static int32_t elementsOf(txSlot* field, int32_t size, void** elements) {
	Bytes array = arrayIn(field);
	*elements = array.bytes;
	return array.size / size;
}

/* The elements that `code` takes of its array: a whole text, or `length` elements of a rest. */
static int32_t countOf(char code, int32_t elements, double length) {
	if (code == FRAME_TEXT16) return elements < 16 ? elements : 16;
	return length < elements ? (length > 0 ? (int32_t)length : 0) : elements;
}

/* Packs the record of argument `formatAt` + 1 from byte `at`; returns the byte after its fields. */
static int32_t packed(txMachine* the, Bytes frame, int32_t at, int formatAt) {
	txString codes = codesAt(the, formatAt);
	Record record = recordAt(the, formatAt + 1, formatAt);
	double length = numberIn(the, record.first);
	for (; *codes; codes++) {
		char code = *codes;
		int32_t bytes = frame_size(code);
		if (frame_is_rest(code) || code == FRAME_TEXT16) {
			void* elements;
			int32_t size = code == FRAME_TEXT16 ? 1 : bytes;
			int32_t count = countOf(code, elementsOf(nextField(the, &record), size, &elements), length);
			bytes = count * size;
			if (bytes > frame.size - at) mxRangeError("frame: too short");
			if (count > 0) frame_put_array(frame.bytes, at, code, elements, count);
		} else {
			if (bytes > frame.size - at) mxRangeError("frame: too short");
			frame_put(frame.bytes, at, code, nextNumber(the, &record, code));
		}
		at += bytes;
	}
	return at;
}

static int32_t pack(txMachine* the) {
	Bytes frame = bytesAt(the, 0);
	return packed(the, frame, indexAt(the, 1, frame.size), 2);
}

/* Reads the record of argument `formatAt` + 1 from bytes at..end-1; false if a text isn't printable. */
static int32_t unpacked(txMachine* the, Bytes frame, int32_t at, int32_t end, int formatAt) {
	txString codes = codesAt(the, formatAt);
	Record record = recordAt(the, formatAt + 1, formatAt);
	setNumber(record.first, FRAME_U32, 0);
	for (; *codes; codes++) {
		char code = *codes;
		int32_t bytes = frame_size(code);
		if (frame_is_rest(code) || code == FRAME_TEXT16) {
			void* elements;
			int32_t size = code == FRAME_TEXT16 ? 1 : bytes;
			int32_t room = elementsOf(nextField(the, &record), size, &elements);
			int32_t count = at < end ? (end - at) / size : 0;
			if (code == FRAME_TEXT16 && count > 16) count = 16;
			if (count > room) count = room;
			if (code != FRAME_TEXT16) setNumber(record.first, FRAME_U32, count);
			if (count == 0 && room > 0) memset(elements, 0, (size_t)room * size);
			if (count > 0 && !frame_get_array(frame.bytes, at, code, elements, count)) return 0;
		} else {
			setNextNumber(the, &record, code, bytes <= end - at ? frame_get(frame.bytes, at, code) : 0);
		}
		at += bytes;
	}
	return 1;
}

static int32_t unpack(txMachine* the) {
	Bytes frame = bytesAt(the, 0);
	int32_t at = indexAt(the, 1, frame.size);
	return unpacked(the, frame, at, at + indexAt(the, 2, frame.size - at), 3);
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

/* The hash of the arguments of sign and isSigned; `at`: where it lies. */
static uint64_t hash(txMachine* the, uint8_t** at) {
	Bytes bytes = bytesAt(the, 0), key = bytesAt(the, 3);
	int32_t to = indexAt(the, 2, bytes.size - 8);
	uint32_t words[4];
	if (key.size < (int32_t)sizeof words) mxRangeError("key: fewer than 16 bytes");
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

static int32_t wholeProperty(txMachine* the, txSlot* slot) {
	if (!slot || (slot->kind != XS_INTEGER_KIND && slot->kind != XS_NUMBER_KIND)) mxTypeError("format: no number");
	return slot->kind == XS_INTEGER_KIND ? slot->value.integer : (int32_t)(int64_t)slot->value.number;
}

/* `Format.id` and `Format.seed`, which follow codes, up and down. */
static uint32_t idAt(txMachine* the, int formatAt, uint8_t* id) {
	txSlot* slot = propertiesAt(the, formatAt);
	for (int i = 0; slot && i < 3; i++) slot = slot->next;
	*id = (uint8_t)wholeProperty(the, slot);
	return (uint32_t)wholeProperty(the, slot->next);
}

/* The words of a session; none if argument i is undefined. They are copied, since bytes may be unaligned. */
static uint8_t* sessionAt(txMachine* the, int i, uint32_t words[SESSION_WORDS]) {
	if (mxArgc <= i || mxArgv(i)->kind == XS_UNDEFINED_KIND) return NULL;
	Bytes session = bytesAt(the, i);
	if (session.size < 4 * SESSION_WORDS) mxRangeError("session: too short");
	memcpy(words, session.bytes, 4 * SESSION_WORDS);
	return session.bytes;
}

static uint64_t wordsAt(const uint8_t* bytes) {
	uint64_t word = 0;
	for (int i = 7; i >= 0; i--) word = word << 8 | bytes[i];
	return word;
}

static int32_t make(txMachine* the) {
	Bytes frame = bytesAt(the, 0);
	uint32_t words[SESSION_WORDS], mask = 0;
	uint8_t* session = sessionAt(the, 3, words);
	if (frame.size < 3) mxRangeError("frame: too short");
	uint32_t seed = idAt(the, 1, frame.bytes + 2);
	int32_t end = packed(the, frame, 3, 1);
	if (session) {
		if (end > frame.size - 8) mxRangeError("frame: too short");
		uint32_t counter = ++words[SESSION_SENT];
		memcpy(session + 4 * SESSION_SENT, &counter, 4);
		frame.bytes[1] = (uint8_t)words[SESSION_WAY];
		uint64_t tag = frame_hash(frame.bytes, 1, end, words, seed, counter);
		for (int i = 0; i < 8; i++) frame.bytes[end + i] = (uint8_t)(tag >> 8 * i);
		end += 8;
		mask = frame_mask(counter);
	}
	end = frame_close(frame.bytes, frame.size, end, seed, mask);
	if (end < 0) mxRangeError("frame: too short");
	return end;
}

/*
 * True if the fields have exactly the format's bytes; reads them into the record. The format is the argument
 * before the record.
 */
static int32_t isWhole(txMachine* the, int32_t bytes, int formatAt) {
	Record record = recordAt(the, formatAt + 1, formatAt);
	for (txString codes = codesAt(the, formatAt); *codes; codes++) {
		int32_t size = frame_size(*codes);
		if (isAmongNumbers(&record, *codes)) {
			nextAmongNumbers(the, &record);
			bytes -= size;
			continue;
		}
		txSlot* field = nextField(the, &record);
		if (frame_is_rest(*codes)) {
			void* elements;
			int32_t room = elementsOf(field, size, &elements);
			return bytes >= 0 && bytes % size == 0 && bytes / size <= room;
		}
		bytes -= size;
	}
	return bytes == 0;
}

static int32_t readFrame(txMachine* the) {
	Bytes frame = bytesAt(the, 0);
	uint32_t words[SESSION_WORDS], counter = 0;
	uint8_t id, *session = sessionAt(the, 4, words);
	int32_t check = indexAt(the, 1, frame.size) - 4, end = session ? check - 8 : check;
	uint32_t seed = idAt(the, 2, &id);
	if (end < 2 || !isWhole(the, end - 2, 2)) return 0;
	uint32_t residue = (uint32_t)frame_residue(frame.bytes, check, seed);
	if (session) {
		counter = frame_counter(residue);
		if (!words[SESSION_MADE] || counter <= words[SESSION_TAKEN]) return 0;
		frame.bytes[0] = (uint8_t)(1 - words[SESSION_WAY]);
		if (frame_hash(frame.bytes, 0, end, words, seed, counter) != wordsAt(frame.bytes + end)) return 0;
	} else if (residue != 0) return 0;
	if (!unpacked(the, frame, 2, end, 2)) return 0;
	if (session) memcpy(session + 4 * SESSION_TAKEN, &counter, 4);
	return 1;
}

#define NATIVE(name, length, body) void motelearn_frame_##name(txMachine* the) { body; }
FRAME_NATIVES(NATIVE)
