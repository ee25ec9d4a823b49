/*
 * The metadata of a trace in the Common Trace Format 1.8: its text in TSDL, which says what the
 * streams of export_ctf.c hold.
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

/*
 * Returns the metadata of a trace, whose uuid follows from the trace: the same export is the same
 * bytes.
 */
struct ctf_metadata ctf_metadata_of(const struct trace *t);

/*
 * Returns the id of an event's class. An event with a NUL in a string is of a second class of
 * the same name, in which strings are sequences of bytes: readers end a string at the first NUL.
 */
static inline uint32_t ctf_class_id(const struct spec *spec, const struct event_type *type,
				    bool bytes)
{
	return type->index + (bytes ? spec->nevents : 0);
}

/* The header and the context of a packet, up to the strings: the names of thread and program. */
struct ctf_packet_head {
	uint32_t magic;
	unsigned char uuid[CTF_UUID];
	uint32_t stream;
	uint64_t instance;
	uint64_t begin, end;         /* values of the clock */
	uint64_t content_size, size; /* bits */
	uint64_t number;
	uint64_t discarded; /* in the stream so far */
	uint32_t thread;
	uint64_t tid;
	uint32_t pid;
} __attribute__((packed));

enum { CTF_PACKET_MAGIC = 0xc1fc1fc1 };

/*
 * Write what says how the bytes of streams are to be read: all but the classes of events, and a
 * class. It is the last part of the metadata. Who finds the same text may read the streams by the
 * structures above.
 */
void ctf_layout_write(FILE *f, const unsigned char uuid[CTF_UUID]);
void ctf_class_write(FILE *f, const struct spec *spec, const struct event_type *type, bool bytes);

/* Writes the metadata. bytes: by event type, whether the second class is used. */
void ctf_metadata_write(FILE *f, const struct ctf_metadata *m, const bool *bytes);

#endif
