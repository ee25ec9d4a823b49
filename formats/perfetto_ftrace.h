/*
 * What ftrace recorded of the scheduler, in Perfetto's messages FtraceEventBundle, each of one
 * processor: collected, and brought into the order of time at the end.
 */
#ifndef GLIMPSE_FORMATS_PERFETTO_FTRACE_H
#define GLIMPSE_FORMATS_PERFETTO_FTRACE_H

#include "base/array.h"
#include "base/hash.h"
#include "formats/logs_switches.h"
#include "formats/proto_read.h"

struct ftrace_record {
	int64_t time;
	uint64_t order;
	uint32_t tid, by, name; /* name: a number of a text; 0: none */
	uint16_t processor;
	uint8_t kind, why;
};

struct perfetto_ftrace {
	VECTOR(struct ftrace_record) records;
	VECTOR(char *) texts;
	struct hash_table by_text;
	uint64_t waking, unknown; /* records of sched_waking; of other types */
};

/* Reads a bundle, whose times are `offset` behind the trace's. */
void perfetto_ftrace_read(struct perfetto_ftrace *f, struct proto bundle, int64_t offset);
/* Logs all that was collected. */
void perfetto_ftrace_log(struct perfetto_ftrace *f, struct logs_switches *s);
void perfetto_ftrace_free(struct perfetto_ftrace *f);

#endif
