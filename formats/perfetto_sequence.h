/*
 * What packets of one sequence of Perfetto's format share: interned texts, frames and call stacks,
 * defaults, and clocks of its own. All of that holds until the sequence says that it begins anew.
 */
#ifndef GLIMPSE_FORMATS_PERFETTO_SEQUENCE_H
#define GLIMPSE_FORMATS_PERFETTO_SEQUENCE_H

#include "base/array.h"
#include "base/hash.h"
#include "formats/proto_read.h"

enum interned {
	INTERNED_CATEGORY,
	INTERNED_NAME,
	INTERNED_ANNOTATION,
	INTERNED_VALUE,
	INTERNED_FUNCTION,
	INTERNED_PATH,
	NINTERNED
};

/*
 * Clocks of sequences have numbers from 64 to 127; those below are the system's, those above the
 * trace's.
 */
enum { CLOCKS_OF_SEQUENCE = 64, CLOCKS = 128 };

struct perfetto_clock {
	bool known, incremental;
	int64_t offset; /* of the trace's time */
	int64_t unit;   /* ns */
	int64_t last;   /* of one that is incremental */
};

struct perfetto_frame {
	uint64_t function, mapping, address;
};

struct perfetto_sequence {
	bool valid;     /* nothing is missing since it began */
	bool begun;     /* it has had a packet */
	uint32_t clock; /* of packets that name none; 0: the trace's */
	uint64_t track; /* of events that name none */
	int64_t period; /* of samples (ns); 0: not known */
	uint32_t pid;   /* of the thread that described itself; 0: none did */
	uint64_t tid;
	int64_t time; /* of that thread's last event */
	struct perfetto_clock clocks[CLOCKS - CLOCKS_OF_SEQUENCE];
	VECTOR(char *) texts;
	struct hash_table by_text[NINTERNED]; /* head: of texts */
	VECTOR(struct perfetto_frame) frames;
	struct hash_table by_frame, by_mapping; /* mapping: head: the number of its path */
	VECTOR(uint64_t)
	stack_frames; /* of all call stacks, each with its number of frames before them */
	struct hash_table by_stack; /* head: of stack_frames */
};

/* Forgets all, as the sequence begins anew. */
void perfetto_sequence_clear(struct perfetto_sequence *s);
void perfetto_sequence_free(struct perfetto_sequence *s);
/* Reads a message InternedData. */
void perfetto_intern(struct perfetto_sequence *s, struct proto data);
/* Returns an interned text, or NULL. */
const char *perfetto_text(const struct perfetto_sequence *s, enum interned what, uint64_t iid);
/*
 * Returns the numbers of the frames of a call stack, the outermost first; *n: how many. NULL: it is
 * not known.
 */
const uint64_t *perfetto_stack(const struct perfetto_sequence *s, uint64_t iid, size_t *n);
/* Returns what a frame is called; the caller frees it. */
char *perfetto_frame_name(const struct perfetto_sequence *s, uint64_t iid);

#endif
