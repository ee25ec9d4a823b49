#include "spec/layout.h"
#include <string.h>

/* Bytes of the word that begins every record: its id and the low bits of its time. */
enum { HEADER_SIZE = 4 };

void event_layout(struct event_type *e)
{
	e->fixed_size = HEADER_SIZE;
	e->nstrings = 0;
	for (unsigned i = 0; i < e->nattributes; i++) {
		struct attribute *a = &e->attributes[i];
		if (a->type == TYPE_STRING) {
			a->string_index = e->nstrings++;
		} else {
			a->offset = e->fixed_size;
			e->fixed_size += type_size(a->type);
		}
	}
	for (unsigned i = 0; i < e->nattributes; i++)
		if (e->attributes[i].type == TYPE_STRING)
			e->attributes[i].offset = e->fixed_size;
}

static uint64_t hash_byte(uint64_t hash, unsigned char byte)
{
	return (hash ^ byte) * 0x100000001b3;
}

/* Adds a string with its NUL. */
static uint64_t hash_string(uint64_t hash, const char *s)
{
	do
		hash = hash_byte(hash, (unsigned char)*s);
	while (*s++);
	return hash;
}

static const uint64_t hash_start = 0xcbf29ce484222325;

static uint64_t hash_attributes(uint64_t hash, const struct event_type *e)
{
	for (unsigned i = 0; i < e->nattributes; i++) {
		hash = hash_string(hash, type_name(e->attributes[i].type));
		hash = hash_string(hash, e->attributes[i].name);
	}
	return hash;
}

uint64_t attributes_hash(const struct event_type *e)
{
	return hash_attributes(hash_start, e);
}

uint64_t schema_hash(const struct spec *s)
{
	uint64_t hash = hash_start;

	for (unsigned i = 0; i < s->nevents; i++) {
		hash = hash_string(hash, s->events[i]->name);
		hash = hash_attributes(hash, s->events[i]);
		hash = hash_byte(hash, 0xff);
	}
	return hash;
}

/* The word before a string: its length, and in the top bit whether it was cut when logged. */
#define STRING_LENGTH 0x7fffffffu

static uint32_t layout_padded(uint32_t length)
{
	return (length + 3) & ~3u;
}

static uint32_t string_length(const unsigned char *at)
{
	uint32_t word;
	memcpy(&word, at, sizeof word);
	return word & STRING_LENGTH;
}

static struct value layout_integer(__int128 i)
{
	return (struct value){.kind = VALUE_INT, .integer = i};
}

static struct value string_value(const unsigned char *at, unsigned index)
{
	while (index--)
		at += 4 + layout_padded(string_length(at));
	struct value v = {.kind = VALUE_STRING};
	v.string.bytes = (const char *)at + 4;
	v.string.length = string_length(at);
	return v;
}

#define READ(type) \
	({ \
		type value_; \
		memcpy(&value_, at, sizeof value_); \
		value_; \
	})

struct value record_value(const struct event_type *event, unsigned attribute,
			  const unsigned char *record)
{
	const struct attribute *a = &event->attributes[attribute];
	const unsigned char *at = record + a->offset;
	switch (a->type) {
	case TYPE_INT:
		return layout_integer(READ(int32_t));
	case TYPE_UINT:
	case TYPE_CODE32:
		return layout_integer(READ(uint32_t));
	case TYPE_LONG:
		return layout_integer(READ(int64_t));
	case TYPE_ULONG:
	case TYPE_ADDRESS:
	case TYPE_CODE:
	case TYPE_OBJECT:
		return layout_integer(READ(uint64_t));
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
		need += 4 + (uint64_t)layout_padded(string_length(record + need));
	}
	return need <= size && need <= UINT32_MAX ? (uint32_t)need : 0;
}
