/*
 * Merges the events of one section as numbers (section.h), read log by log and sorted. The stream
 * of trace/trace.h goes from section to section.
 */
#ifndef GLIMPSE_TRACE_STREAM_MERGE_H
#define GLIMPSE_TRACE_STREAM_MERGE_H

#include "trace/format/record.h"
#include "trace/log/log.h"
#include "trace/stream/merge_runs.h"
#include "trace/stream/section.h"

struct section_merge {
	const uint64_t *list; /* the numbers, in order */
	size_t n;
	uint32_t *count; /* by event type */
	/* Memory that is reused for every section. */
	uint64_t *words[2];
	size_t room[2];
	struct sorted_run *runs;
};

void section_merge_begin(struct section_merge *m, const struct trace *t);
/* Reads the events of the types that are wanted; they stay until the next call. */
void section_merge_read(struct section_merge *m, const struct trace *t, const struct section *s,
			const bool *wanted);
void section_merge_end(struct section_merge *m);

/* Returns the record of the event with that number. */
static inline const unsigned char *section_event_record(const struct section *s,
							const struct log *logs, uint64_t number)
{
	size_t i = section_log(s, number);
	uint64_t unit = section_unit(s, number);

	return s->logs[i].records ? s->logs[i].records + 4 * unit
				  : log_record(&logs[i], (s->positions[i].unit + unit) << 2);
}

/* Returns the type of that event in the trace's specification. */
static inline uint16_t section_event_type(const struct section *s, const struct log *logs,
					  uint64_t number)
{
	const struct id_row *rows = logs[section_log(s, number)].ids->rows;

	return rows[RECORD_ID(read_32(section_event_record(s, logs, number)))].type;
}

#endif
