#include "config.h"
#ifdef HAVE_OTF2

#include "base/visible.h"
#include "formats/otf2_definitions.h"
#include "trace/symbols/symbols.h"
#include <stdlib.h>

void otf2_definitions_open(struct otf2_definitions *d, const struct trace *t,
			   OTF2_GlobalDefWriter *writer)
{
	*d = (struct otf2_definitions){.trace = t, .writer = writer};
}

void otf2_definitions_free(struct otf2_definitions *d)
{
	hash_table_free(&d->strings);
	hash_table_free(&d->attributes);
	hash_table_free(&d->regions);
	free(d->group_of.at);
}

/* ---- strings ---- */

OTF2_StringRef otf2_plain_string(struct otf2_definitions *d, const char *text)
{
	OTF2_StringRef string = hash_table_number(
	    &d->strings, (uint64_t)symbols_number(d->trace, text), 0, d->nstrings);

	if (string == d->nstrings)
		OTF2_GlobalDefWriter_WriteString(d->writer, d->nstrings++, text);
	return string;
}

static size_t escape_put(char *to, const char *bytes, size_t n, size_t *taken)
{
	size_t length = visible_length(bytes, n);

	*taken = length;
	if (*bytes == '\\') {
		memcpy(to, "\\\\", 2);
		return 2;
	}
	if (length) {
		memcpy(to, bytes, length);
		return length;
	}
	*taken = visible_escape(to, bytes, n);
	return strlen(to);
}

OTF2_StringRef otf2_bytes(struct otf2_definitions *d, const char *bytes, size_t n)
{
	char *text = array_new(n * VISIBLE_ESCAPE + VISIBLE_ESCAPE, 1), *to = text;
	OTF2_StringRef string;

	for (size_t i = 0, taken; i < n; i += taken)
		to += escape_put(to, bytes + i, n - i, &taken);
	*to = '\0';
	string = otf2_plain_string(d, text);
	free(text);
	return string;
}

OTF2_StringRef otf2_string(struct otf2_definitions *d, const char *text)
{
	return otf2_bytes(d, text, strlen(text));
}

/* ---- attributes ---- */

OTF2_AttributeRef otf2_attribute(struct otf2_definitions *d, const char *name, const char *suffix,
				 OTF2_Type type)
{
	char *whole = text_format("%s%s", name, suffix);
	OTF2_StringRef string = otf2_string(d, whole);
	OTF2_AttributeRef attribute =
	    hash_table_number(&d->attributes, string, type, d->nattributes);

	free(whole);
	if (attribute == d->nattributes)
		OTF2_GlobalDefWriter_WriteAttribute(d->writer, d->nattributes++, string,
						    otf2_string(d, ""), type);
	return attribute;
}

/* ---- regions ---- */

static OTF2_RegionRole role_of_kind(enum interval_kind kind)
{
	if (kind == KIND_CALL)
		return OTF2_REGION_ROLE_FUNCTION;
	if (kind == KIND_IO)
		return OTF2_REGION_ROLE_FILE_IO;
	return kind == KIND_HOLD ? OTF2_REGION_ROLE_CRITICAL : OTF2_REGION_ROLE_CODE;
}

static void region_write(struct otf2_definitions *d, OTF2_RegionRef number,
			 const struct otf2_region *r)
{
	const char *colon = r->line ? strrchr(r->line, ':') : NULL;
	OTF2_StringRef name = otf2_string(d, r->name);
	uint32_t line = colon ? (uint32_t)strtoul(colon + 1, NULL, 10) : 0;
	OTF2_StringRef file =
	    colon ? otf2_bytes(d, r->line, (size_t)(colon - r->line)) : OTF2_UNDEFINED_STRING;

	OTF2_GlobalDefWriter_WriteRegion(
	    d->writer, number, name, name, otf2_string(d, r->kind_name), role_of_kind(r->kind),
	    r->kind == KIND_CALL ? OTF2_PARADIGM_COMPILER : OTF2_PARADIGM_USER,
	    OTF2_REGION_FLAG_NONE, file, line, 0);
}

OTF2_RegionRef otf2_region(struct otf2_definitions *d, uint64_t key, uint64_t rest,
			   const struct otf2_region *region)
{
	OTF2_RegionRef number = hash_table_number(&d->regions, key, rest, d->group_of.n);

	if (number == d->group_of.n) {
		*vector_add(&d->group_of) = region->kind_name;
		region_write(d, number, region);
	}
	return number;
}

static void group_write(struct otf2_definitions *d, OTF2_GroupRef group, size_t first,
			uint64_t *members, bool *grouped)
{
	const char *name = d->group_of.at[first];
	uint32_t n = 0;

	for (size_t i = first; i < d->group_of.n; i++)
		if (strcmp(d->group_of.at[i], name) == 0) {
			members[n++] = i;
			grouped[i] = true;
		}
	OTF2_GlobalDefWriter_WriteGroup(d->writer, group, otf2_string(d, name),
					OTF2_GROUP_TYPE_REGIONS, OTF2_PARADIGM_NONE,
					OTF2_GROUP_FLAG_NONE, n, members);
}

OTF2_GroupRef otf2_region_groups(struct otf2_definitions *d, OTF2_GroupRef group)
{
	uint64_t *members = array_new(d->group_of.n, sizeof *members);
	bool *grouped = array_zero(d->group_of.n, sizeof *grouped);

	for (size_t i = 0; i < d->group_of.n; i++)
		if (!grouped[i])
			group_write(d, group++, i, members, grouped);
	free(grouped);
	free(members);
	return group;
}

#else
typedef int otf2_is_missing;
#endif
