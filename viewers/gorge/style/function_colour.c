#include "viewers/gorge/style/function_colour.h"
#include "trace/plain_name.h"
#include <stdlib.h>
#include <string.h>

/* FNV-1a: the same on each machine, and in documents. */
static uint64_t text_hash(const char *text)
{
	uint64_t hash = 0xcbf29ce484222325;

	for (; *text; text++)
		hash = (hash ^ (unsigned char)*text) * 0x100000001b3;
	return hash ^ hash >> 32;
}

unsigned function_hue(const char *name)
{
	char *function = plain_name_function(name);
	bool named = *function && strncmp(function, "0x", 2) != 0;
	unsigned hue = named ? (unsigned)(text_hash(function) % FUNCTION_HUES) : FUNCTION_UNNAMED;

	free(function);
	return hue;
}
