#include "trace/stream/losses.h"
#include "base/array.h"
#include "base/units.h"
#include "trace/stream/records_lost.h"
#include "trace/stream/unseen.h"
#include <stdio.h>
#include <stdlib.h>

static uint64_t events_not_kept(const struct trace *t)
{
	uint64_t n = 0;

	for (unsigned i = 0; i < t->nprocesses; i++) {
		const struct trace_process *p = &t->processes[i];

		for (uint32_t k = 0; p->limited && k < p->nthreads; k++)
			n += t->threads[p->first_thread + k].lost;
	}
	return n;
}

static uint64_t bytes_skipped(const struct trace *t)
{
	uint64_t bytes = 0;

	for (unsigned i = 0; i < t->nthreads; i++)
		bytes += t->threads[i].skipped;
	return bytes;
}

/* Returns the recorder that died the longest time before its program; NULL: none died. */
static const struct trace_process *recorder_died(const struct trace *t)
{
	const struct trace_process *found = NULL;

	for (unsigned i = 0; i < t->nprocesses; i++) {
		const struct trace_process *p = &t->processes[i];

		if (p->lived_to &&
		    (!found || p->lived_to - p->observed_to > found->lived_to - found->observed_to))
			found = p;
	}
	return found;
}

static uint64_t times_off(const struct trace *t, unsigned type)
{
	return t->spec->events[type]->off_attribute >= 0 ? t->events_of_type[type] : 0;
}

/* All but the records, which take a pass over their events. */
static struct losses known_losses(const struct trace *t)
{
	struct losses l = {.not_kept = events_not_kept(t), .bytes = bytes_skipped(t)};
	const struct trace_process *died = recorder_died(t);

	l.recorder_died = died != NULL;
	l.unobserved = died ? (uint64_t)(died->lived_to - died->observed_to) : 0;
	l.events = t->lost > l.not_kept ? t->lost - l.not_kept : 0;
	for (unsigned i = 0; i < t->spec->nevents; i++)
		l.off += times_off(t, i);
	return l;
}

struct losses losses_of(const struct trace *t)
{
	struct losses l = known_losses(t);

	l.records = trace_records_lost(t);
	return l;
}

bool losses_has_events(const struct trace *t)
{
	return t->lost || bytes_skipped(t);
}

/* ---- the sentence ---- */

struct sentence {
	FILE *out;
	unsigned parts; /* so far */
};

static void part_begin(struct sentence *s)
{
	fputs(s->parts++ ? ", " : "", s->out);
}

static void count_print(struct sentence *s, uint64_t n, const char *unit)
{
	char count[UNITS_TEXT];

	if (!n)
		return;
	part_begin(s);
	fprintf(s->out, "%s %s", units_count(count, n), unit);
}

/* An attribute's name is its unit: "samples". */
static void records_print(struct sentence *s, const struct trace *t)
{
	for (unsigned i = 0; i < t->spec->nevents; i++) {
		const struct event_type *e = t->spec->events[i];

		if (e->lost_attribute >= 0 && t->events_of_type[i])
			count_print(s, trace_records_lost_of(t, e),
				    e->attributes[e->lost_attribute].name);
	}
}

static void lost_print(struct sentence *s, const struct trace *t, const struct losses *l)
{
	char bytes[UNITS_TEXT];

	count_print(s, l->events, l->events == 1 ? "event" : "events");
	records_print(s, t);
	if (l->bytes) {
		part_begin(s);
		fprintf(s->out, "%s of damaged logs", units_bytes(bytes, l->bytes));
	}
	if (s->parts)
		fputs(" were lost", s->out);
}

static void off_print(struct sentence *s, const struct trace *t)
{
	char count[UNITS_TEXT];

	for (unsigned i = 0; i < t->spec->nevents; i++) {
		const struct event_type *e = t->spec->events[i];

		if (!times_off(t, i))
			continue;
		part_begin(s);
		fprintf(s->out, "a %s was switched off %s times, as it was logged too often",
			e->attributes[e->off_attribute].name, units_count(count, times_off(t, i)));
	}
}

/* What the recorder did not see. */
static void unseen_print(struct sentence *s, const struct trace *t)
{
	char *text = unseen_text(t);

	if (!text)
		return;
	part_begin(s);
	fputs(text, s->out);
	free(text);
}

/* What it observes is of the time before, and so are shares of that. */
static void died_print(struct sentence *s, const struct trace *t)
{
	const struct trace_process *p = recorder_died(t);
	char at[UNITS_TEXT], before[UNITS_TEXT];

	if (!p)
		return;
	part_begin(s);
	fprintf(s->out,
		"the recorder died at %s, %s before the program's last record, so thread states, "
		"wake-ups and samples are of the time before",
		units_time(at, (double)p->observed_to),
		units_time(before, (double)(p->lived_to - p->observed_to)));
}

char *losses_text(const struct trace *t)
{
	struct losses l = known_losses(t);
	char *text = NULL;
	size_t size;
	struct sentence s = {.out = open_memstream(&text, &size)};

	if (!s.out)
		array_exhausted();
	lost_print(&s, t, &l);
	if (l.not_kept) {
		count_print(&s, l.not_kept, l.not_kept == 1 ? "event" : "events");
		fputs(" beyond GLIMPSE_KEEP were not kept", s.out);
	}
	off_print(&s, t);
	unseen_print(&s, t);
	died_print(&s, t);
	fputs(": counts, times and shares are less precise", s.out);
	if (fclose(s.out) != 0)
		array_exhausted();
	if (s.parts)
		return text;
	free(text);
	return NULL;
}

void losses_json(struct json *j, const struct losses *l)
{
	if (!losses_any(l))
		return;
	json_object(j, "losses");
	json_uint(j, "events", l->events);
	json_uint(j, "not_kept", l->not_kept);
	json_uint(j, "bytes", l->bytes);
	json_uint(j, "records", l->records);
	json_uint(j, "switched_off", l->off);
	if (l->recorder_died)
		json_uint(j, "unobserved", l->unobserved);
	json_close(j);
}
