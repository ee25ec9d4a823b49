#include "trace/format/record.h"

static void halves_swap(unsigned char *at)
{
	uint32_t first = read_32(at);

	write_32(at, read_32(at + 4));
	write_32(at + 4, first);
}

static void text_swap(unsigned char *at, size_t length)
{
	for (size_t i = 0; i < padded_size(length); i += 4)
		write_32(at + i, __builtin_bswap32(read_32(at + i)));
}

void event_swap(const struct event_type *type, unsigned char *record)
{
	unsigned char *at = record + type->fixed_size;

	for (unsigned i = 0; i < type->nattributes; i++)
		if (type->attributes[i].type != TYPE_STRING &&
		    type_size(type->attributes[i].type) == 8)
			halves_swap(record + type->attributes[i].offset);
	for (unsigned i = 0; i < type->nstrings; i++) {
		size_t length = STRING_LENGTH(read_32(at));

		text_swap(at + 4, length);
		at += 4 + padded_size(length);
	}
}

void note_swap(unsigned char *record)
{
	/* The fields before the text of a note: hh is a number of 8 bytes, w one of 4. */
	static const char *const layouts[] = {
	    [NOTE_SCHEMA] = "hhww",
	    [NOTE_CLOCK] = "hhhhhh",
	    [NOTE_LOST] = "hhw",
	    [NOTE_SWITCH] = "wwhh",
	};
	uint32_t word = read_32(record + 4);
	size_t size = NOTE_SIZE(word), at = 0;
	const char *layout = NOTE_KIND(word) <= NOTE_SWITCH ? layouts[NOTE_KIND(word)] : NULL;

	record += NOTE_HEADER;
	for (; layout && *layout && at + 4 <= size; layout++) {
		if (*layout == 'h' && at + 8 <= size) {
			halves_swap(record + at);
			layout++;
			at += 4;
		}
		at += 4;
	}
	text_swap(record + at, size - at);
}
