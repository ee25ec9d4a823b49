/*
 * Writes the definitions of an OTF2 archive when they are first used: strings, attributes, regions.
 * Each is written once. What OTF2 calls a reference is a number from 0, in the order of writing.
 */
#ifndef GLIMPSE_FORMATS_OTF2_DEFINITIONS_H
#define GLIMPSE_FORMATS_OTF2_DEFINITIONS_H

#include "base/array.h"
#include "base/hash.h"
#include "spec/spec.h"
#include "trace/trace.h"
#include <otf2/otf2.h>

/* The attribute that each event of ours has in the archive: its event type's name. */
#define OTF2_EVENT_ATTRIBUTE "glimpse.event"
/*
 * What follows the name of an attribute that is an address: that attribute has its number, the
 * other its text.
 */
#define OTF2_ADDRESS_SUFFIX ".address"
/* Properties of the system tree's root: the specification, and what the time 0 is. */
#define OTF2_SPEC_PROPERTY "glimpse.specification"
#define OTF2_ORIGIN_PROPERTY "glimpse.origin"
/* Properties of a location: the thread's number, and the system's. */
#define OTF2_THREAD_PROPERTY "glimpse.thread"
#define OTF2_TID_PROPERTY "thread id"
/* A property of a location group. */
#define OTF2_PID_PROPERTY "process id"

/* A region by what it is: an interval, or an event; and of calls, the function. */
struct otf2_region {
	const char *name;
	enum interval_kind kind;
	const char *kind_name; /* as regions of this kind are grouped */
	const char *line;      /* "file.c:41", or NULL */
};

struct otf2_definitions {
	const struct trace *trace;
	OTF2_GlobalDefWriter *writer;
	struct hash_table strings, attributes, regions;
	OTF2_StringRef nstrings;
	OTF2_AttributeRef nattributes;
	VECTOR(const char *) group_of; /* by region: its kind_name */
};

void otf2_definitions_open(struct otf2_definitions *d, const struct trace *t,
			   OTF2_GlobalDefWriter *writer);
void otf2_definitions_free(struct otf2_definitions *d);

/*
 * Returns the string of n bytes, in which \n, \t, \r, \xNN, \uNNNN and \\ are for what is hidden,
 * and for \.
 */
OTF2_StringRef otf2_bytes(struct otf2_definitions *d, const char *bytes, size_t n);
OTF2_StringRef otf2_string(struct otf2_definitions *d, const char *text);
/* Returns the string of a text as it is. */
OTF2_StringRef otf2_plain_string(struct otf2_definitions *d, const char *text);

OTF2_AttributeRef otf2_attribute(struct otf2_definitions *d, const char *name, const char *suffix,
				 OTF2_Type type);

/* Returns the region that (key, rest) stands for. */
OTF2_RegionRef otf2_region(struct otf2_definitions *d, uint64_t key, uint64_t rest,
			   const struct otf2_region *region);

/*
 * Writes a group of regions for each of their kinds, from a reference on; returns the next free
 * one.
 */
OTF2_GroupRef otf2_region_groups(struct otf2_definitions *d, OTF2_GroupRef group);

#endif
