#include "spec/layout.h"

/* The word that begins every record: its id and the low bits of its time. */
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

/* The string with its NUL. */
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
