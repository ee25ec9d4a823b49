#include "trace/stream/ordered.h"
#include "base/array.h"
#include "base/spill.h"
#include "trace/log/cursor.h"
#include "trace/open/opened.h"
#include <stdlib.h>
#include <string.h>

void ordered_begin(struct ordered *m, const struct trace *t)
{
	*m = (struct ordered){.count = array_new(t->spec->nevents + 1, sizeof *m->count),
			      .runs = array_new(opened_of(t)->nlogs + 1, sizeof *m->runs)};
}

void ordered_end(struct ordered *m)
{
	free(m->count);
	free(m->runs);
	large_free(m->words[0]);
	large_free(m->words[1]);
}

/* Puts down those that are wanted; behind the last of them. The cursor is a copy, for registers. */
static uint64_t *log_read(struct ordered *m, const struct section *s, size_t number,
			  struct cursor c, const bool *wanted, uint64_t *to)
{
	const unsigned char *records = s->logs[number].records;

	while (cursor_next(&c)) {
		uint64_t unit;

		if (records)
			unit = (uint64_t)(c.record - records) >> 2;
		else if (c.log->sorted)
			unit = c.event_seq - s->positions[number].unit;
		else
			unit = (log_place(c.log, c.record) >> 2) - s->positions[number].unit;
		*to = section_number(s, number, c.time, unit);
		to += wanted[c.type];
		m->count[c.type]++;
	}
	return to;
}

void ordered_read(struct ordered *m, const struct trace *t, const struct section *s,
		  const bool *wanted)
{
	const struct opened *o = opened_of(t);
	size_t room = section_size(t, s) + o->nlogs, nruns = 0;
	uint64_t *to;

	for (int i = 0; i < 2; i++)
		m->words[i] = large_room(m->words[i], &m->room[i], room, sizeof *m->words[i]);
	memset(m->count, 0, t->spec->nevents * sizeof *m->count);
	to = m->words[0];
	for (size_t i = 0; i < o->nlogs; i++) {
		uint64_t *begin = to;
		struct cursor c;

		if (!section_cursor(s, &o->logs[i], i, &c))
			continue;
		to = log_read(m, s, i, c, wanted, to);
		if (to == begin)
			continue;
		m->runs[nruns++] =
		    (struct run){(size_t)(begin - m->words[0]), (size_t)(to - begin)};
		to++;
	}
	m->n = (size_t)(to - m->words[0]) - nruns;
	m->list = nruns ? runs_merge(m->runs, nruns, m->words[0], m->words[1], NULL) : NULL;
}
