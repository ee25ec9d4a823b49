/*
 * The metadata of a trace in the Common Trace Format 1.8: its text in TSDL, which says what the streams of
 * export_ctf.c hold.
 */
#ifndef GLIMPSE_FORMATS_CTF_METADATA_H
#define GLIMPSE_FORMATS_CTF_METADATA_H

#include "trace/trace.h"
#include <stdio.h>

enum { CTF_UUID = 16 };

/* Of the header of an event: this id says that the whole id and the whole time follow. */
enum { CTF_ID_EXTENDED = UINT16_MAX };

struct ctf_metadata {
	const struct trace *trace;
	unsigned char uuid[CTF_UUID];
	int64_t base;   /* value of the clock at the trace's time 0 */
	int64_t offset; /* from its values to CLOCK_REALTIME, ns */
};

/* Returns the metadata of a trace, whose uuid follows from the trace: the same export is the same bytes. */
struct ctf_metadata ctf_metadata_of(const struct trace *t);

/*
 * Returns the id of an event's class. An event of which a string has a NUL is of a second class of the same
 * name, in which strings are sequences of bytes: readers end a string at the first NUL.
 */
static inline uint32_t ctf_class_id(const struct trace *t, const struct event_type *type,
				    bool bytes)
{
	return type->index + (bytes ? t->spec->nevents : 0);
}

/* Writes the metadata. bytes: by event type, whether the second class is used. */
void ctf_metadata_write(FILE *f, const struct ctf_metadata *m, const bool *bytes);

#endif
