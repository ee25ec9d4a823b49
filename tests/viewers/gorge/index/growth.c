/*
 * growth PROGRAM FOLDER exact|counter|leaping [ends]: a trace that grows with a program that runs, and its
 * event index, are those of the same logs read anew. The program logs so many events in such a thread as each line
 * says that it reads. exact: times are compared, too; leaping: to 2 ms, with a counter that leaps. ends: its threads
 * come and go. SEED=N repeats a run. Prints TAP.
 */
#include "base/array.h"
#include "match/join/match.h"
#include "spec/layout.h"
#include "tests/sanitized.h"
#include "tests/tap.h"
#include "trace/open/grow.h"
#include "viewers/gorge/index/event_walk.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { STEPS = SANITIZED ? 10 : 40, THREADS = 5, QUESTIONS = 20 };

static struct diag diag = {.program = "growth"};

static uint64_t lot(uint64_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	return *state ^= *state << 17;
}

/* ---- the program ---- */

struct program {
	pid_t pid;
	FILE *to, *from;
};

static struct program program_start(const char *path, const char *folder)
{
	struct program p;
	int in[2], out[2];

	if (pipe(in) || pipe(out))
		exit(2);
	p.pid = fork();
	if (p.pid == 0) {
		setenv("GLIMPSE_DIR", folder, 1);
		dup2(in[0], 0);
		dup2(out[1], 1);
		close(in[1]);
		close(out[0]);
		execl(path, path, (char *)NULL);
		_exit(127);
	}
	close(in[0]);
	close(out[1]);
	p.to = fdopen(in[1], "w");
	p.from = fdopen(out[0], "r");
	return p;
}

/* n: -1: the thread ends. */
static void program_log(struct program *p, unsigned thread, int n)
{
	char line[16];

	fprintf(p->to, "%u %d\n", thread, n);
	fflush(p->to);
	if (!fgets(line, sizeof line, p->from))
		exit(2);
}

static void program_end(struct program *p)
{
	fclose(p->to);
	waitpid(p->pid, NULL, 0);
	fclose(p->from);
}

/* ---- what is compared ---- */

static bool exact, leaping, ends;

static bool same_time(int64_t a, int64_t b)
{
	if (leaping)
		return a - b < 2000000 && b - a < 2000000;
	return !exact || a == b;
}

static bool same_record(const struct event *a, const struct event *b)
{
	struct value va, vb;

	for (unsigned i = 0; i < a->type->nattributes; i++) {
		va = record_value(a->type, i, a->record);
		vb = record_value(b->type, i, b->record);
		if ((a->type->attributes[i].type == TYPE_STRING
			 ? va.string.length != vb.string.length ||
			       memcmp(va.string.bytes, vb.string.bytes, va.string.length)
			 : va.integer != vb.integer))
			return false;
	}
	return true;
}

static bool same_event(const struct event *a, const struct event *b)
{
	return same_time(a->time, b->time) && a->thread == b->thread && a->seq == b->seq &&
	       !strcmp(a->type->name, b->type->name) && same_record(a, b);
}

static bool same_streams(struct trace *a, struct trace *b)
{
	struct merge *ma = merge_open(a), *mb = merge_open(b);
	struct event ea, eb;
	bool same = true, more = true;

	while (same && more) {
		more = merge_next(ma, &ea);
		same = more == merge_next(mb, &eb) && (!more || same_event(&ea, &eb));
	}
	merge_close(ma);
	merge_close(mb);
	return same;
}

static bool same_traces(struct trace *a, struct trace *b)
{
	bool same = a->events == b->events && a->nthreads == b->nthreads && a->lost == b->lost;

	for (unsigned i = 0; same && i < a->spec->nevents; i++)
		same = a->events_of_type[i] == b->events_of_type[i];
	for (unsigned i = 0; same && i < a->nthreads; i++)
		same = !strcmp(a->threads[i].name, b->threads[i].name) &&
		       a->threads[i].events == b->threads[i].events &&
		       same_time(a->threads[i].last, b->threads[i].last);
	return same && same_time(a->duration, b->duration) && same_streams(a, b);
}

static bool same_totals(const struct event_index *a, const struct event_index *b)
{
	unsigned n = event_index_kinds(a);

	for (unsigned t = 0; t < event_index_trace(a)->nthreads; t++)
		if (n != event_index_kinds(b) ||
		    memcmp(event_index_totals(a, t), event_index_totals(b, t), n * sizeof(uint64_t)))
			return false;
	return true;
}

/* The event of that rank in its type, told by both. */
static bool same_places(const struct event_index *a, const struct event_index *b, uint64_t *state)
{
	const struct spec *spec = event_index_trace(a)->spec;

	for (int i = 0; i < QUESTIONS; i++) {
		const struct event_type *type = spec->events[lot(state) % spec->nevents];
		uint64_t n = event_index_trace(a)->events_of_type[type->index],
			 rank = n ? lot(state) % n : 0;
		event_id ia, ib;
		struct event ea, eb;
		if (n == 0)
			continue;
		if (!event_index_select(a, type, rank, &ia) ||
		    !event_index_select(b, event_index_trace(b)->spec->events[type->index], rank, &ib) ||
		    ia != ib || !event_index_event(a, ia, &ea) || !event_index_event(b, ib, &eb) ||
		    !same_event(&ea, &eb) || event_index_rank(a, &ea) != rank)
			return false;
	}
	return true;
}

/* A trace with its event index. */
struct read {
	struct trace *trace;
	struct event_index *event_index;
	struct matches *matches;        /* once others were held against them */
};

static bool same_matches(const struct read *a, struct read *b)
{
	const struct matches *mb;
	struct matches *ma = match_interval(a->trace, a->trace->spec->intervals[0]);
	bool same;

	if (!b->matches)
		b->matches = match_interval(b->trace, b->trace->spec->intervals[0]);
	mb = b->matches;
	same = ma->count == mb->count && ma->matched == mb->matched;

	for (size_t i = 0; same && i < ma->count; i++)
		same = ma->partner_of[i] == mb->partner_of[i];
	matches_free(ma);
	return same;
}

static struct read read_anew(const char *folder, bool growing)
{
	struct trace *t = (growing ? trace_open_growing : trace_open)(&folder, 1, NULL, &diag);

	return (struct read){t, t ? event_index_new(t) : NULL, NULL};
}

static struct read read_on(const struct read *r)
{
	struct trace *t = trace_grow(r->trace);

	return (struct read){t, t ? event_index_grow(r->event_index, t) : NULL, NULL};
}

static void read_free(struct read *r)
{
	if (r->matches)
		matches_free(r->matches);
	event_index_free(r->event_index);
	trace_close(r->trace);
}

static bool same(const struct read *a, struct read *b, uint64_t *state)
{
	return same_traces(a->trace, b->trace) && same_totals(a->event_index, b->event_index) &&
	       same_places(a->event_index, b->event_index, state) && same_matches(a, b);
}

/* Mostly little, now and then more than a tail has room for. */
static int some_events(uint64_t *state)
{
	switch (lot(state) % 10) {
	case 0:
		return 0;
	case 1:
		return (int)(lot(state) % 60000);
	default:
		return (int)(lot(state) % 300);
	}
}

static void report(bool good, int step, const char *what)
{
	char *text = text_format("step %d: %s", step, what);

	ok(good, text);
	free(text);
}

/* The trace before stays as it is while another grows out of it. */
static void follow(struct program *p, const char *folder, uint64_t *state)
{
	struct read now = read_anew(folder, true), before = read_anew(folder, false);
	int grown = 0;

	for (int i = 0; i < STEPS; i++) {
		struct read next, anew;

		for (unsigned k = 0; k < lot(state) % 4; k++) {
			unsigned thread = (unsigned)(lot(state) % THREADS * (unsigned)(i + 3) / STEPS);

			program_log(p, thread, some_events(state));
			if (ends && lot(state) % 2)
				program_log(p, thread, -1);
		}
		anew = read_anew(folder, false);
		next = read_on(&now);
		if (!next.event_index) {
			/* a thread with a lower number than another came later, or the range of what shifts has grown */
			read_free(&next);
			next = read_anew(folder, true);
		} else {
			grown++;
		}
		report(same(&next, &anew, state), i, "what has grown is what is read anew");
		report(same(&now, &before, state), i, "what it grew out of is as it was");
		read_free(&now);
		read_free(&before);
		now = next;
		before = anew;
	}
	ok(leaping || grown > STEPS * 3 / 4, "most steps read only what is new");
	read_free(&now);
	read_free(&before);
}

int main(int argc, char **argv)
{
	uint64_t seed = getenv("SEED") ? strtoull(getenv("SEED"), NULL, 10) : (uint64_t)time(NULL),
		 state = seed * 2 + 1;
	struct program p;

	if (argc < 4)
		return 2;
	ends = argc > 4;
	exact = !strcmp(argv[3], "exact");
	leaping = !strcmp(argv[3], "leaping");
	printf("# SEED=%" PRIu64 "\n", seed);
	p = program_start(argv[1], argv[2]);
	program_log(&p, 0, 100);
	follow(&p, argv[2], &state);
	program_end(&p);
	return tap_end();
}
