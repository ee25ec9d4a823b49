#include "spec/expr.h"
#include "spec/spec.h"

#include <string.h>

/* A string's word: the length, and at the top whether it was cut when it was logged. */
#define STRING_LENGTH 0x7fffffffu

static uint32_t padded(uint32_t length)
{
	return (length + 3) & ~3u;
}

static uint32_t string_length(const unsigned char *at)
{
	uint32_t word;
	memcpy(&word, at, sizeof word);
	return word & STRING_LENGTH;
}

static struct value integer(__int128 i)
{
	return (struct value){.kind = VALUE_INT, .integer = i};
}

static struct value string_value(const unsigned char *at, unsigned index)
{
	while (index--)
		at += 4 + padded(string_length(at));
	struct value v = {.kind = VALUE_STRING};
	v.string.bytes = (const char *)at + 4;
	v.string.length = string_length(at);
	return v;
}

#define READ(type) ({ type value_; memcpy(&value_, at, sizeof value_); value_; })

struct value record_value(const struct event_type *event, unsigned attribute,
			  const unsigned char *record)
{
	const struct attribute *a = &event->attributes[attribute];
	const unsigned char *at = record + a->offset;
	switch (a->type) {
	case TYPE_INT:
		return integer(READ(int32_t));
	case TYPE_UINT:
		return integer(READ(uint32_t));
	case TYPE_LONG:
		return integer(READ(int64_t));
	case TYPE_ULONG:
	case TYPE_ADDRESS:
		return integer(READ(uint64_t));
	case TYPE_DOUBLE:
		return (struct value){.kind = VALUE_REAL, .real = READ(double)};
	case TYPE_STRING:
		break;
	}
	return string_value(at, a->string_index);
}

uint32_t record_size(const struct event_type *event, const unsigned char *record, uint64_t size)
{
	uint64_t need = event->fixed_size;
	for (unsigned i = 0; i < event->nstrings; i++) {
		if (need + 4 > size)
			return 0;
		need += 4 + (uint64_t)padded(string_length(record + need));
	}
	return need <= size && need <= UINT32_MAX ? (uint32_t)need : 0;
}
