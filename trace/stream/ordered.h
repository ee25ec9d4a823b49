/*
 * The events of a section as numbers (section.h) in the order of the stream: each log is read
 * alone, then what was read is merged. The memory is used again for the next section.
 */
#ifndef GLIMPSE_TRACE_STREAM_ORDERED_H
#define GLIMPSE_TRACE_STREAM_ORDERED_H

#include "trace/format/record.h"
#include "trace/log/log.h"
#include "trace/stream/merge_runs.h"
#include "trace/stream/section.h"

struct ordered {
	const uint64_t *list;
	size_t n;
	uint32_t *count;        /* of each type */
	/* scratch */
	uint64_t *words[2];
	size_t room[2];
	struct run *runs;
};

void ordered_begin(struct ordered *m, const struct trace *t);
/* Those whose type is wanted, which wanted[] says. They stay until the next call. */
void ordered_read(struct ordered *m, const struct trace *t, const struct section *s,
		  const bool *wanted);
void ordered_end(struct ordered *m);

/* Where the event of that number is; its type in the trace's specification. */
static inline const unsigned char *number_record(const struct section *s, const struct log *logs,
						 uint64_t number)
{
	const unsigned char *records = s->logs[section_log(s, number)].records;

	return records ? records + 4 * section_unit(s, number) : section_record(s, logs, number);
}

static inline uint16_t number_type(const struct section *s, const struct log *logs, uint64_t number)
{
	const struct id_row *rows = logs[section_log(s, number)].ids->rows;

	return rows[RECORD_ID(read_32(number_record(s, logs, number)))].type;
}

#endif
