#include "analysis/diff/diff.h"
#include "analysis/diff/diff_rows.h"
#include "analysis/heap/heap.h"
#include "analysis/locks/locks.h"
#include "analysis/states/states.h"
#include "trace/symbols/call_paths.h"
#include "trace/symbols/symbols.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

void diff_floor(struct diff_changes *c, struct diff_runs runs)
{
	double longest = 0;

	for (unsigned i = 0; i < runs.n; i++)
		longest = fmax(longest, (double)runs.at[i]->duration);
	c->floor[DIFF_TIME] = DIFF_FLOOR_SHARE * longest;
	c->floor[DIFF_COUNT] = DIFF_FLOOR_COUNT;
	c->floor[DIFF_BYTES] = DIFF_FLOOR_BYTES;
}

/* How much of "function+0x12 (file.c:41)" is the function: places move from version to version. */
static size_t function_length(const char *text)
{
	const char *plus = strstr(text, "+0x"), *place = strstr(text, " (");
	const char *end = plus ? plus : text + strlen(text);

	return (size_t)((place && place < end ? place : end) - text);
}

/* ---- threads ---- */

/* Threads of one name are one row. */
static void threads_take(struct diff_rows *rows, struct trace *t, unsigned run)
{
	struct states *s = states_of(t, STATES_ALL);

	for (unsigned i = 0; i < t->nthreads; i++) {
		const struct thread_states *x = &s->threads[i];
		struct diff_row *thread;
		struct sample *samples;

		if (!t->threads[i].events)
			continue;
		thread = diff_row_find(rows, t->threads[i].name);
		thread->sums = true;
		samples = thread->runs[run];
		sample_add(&samples[0], (double)x->life);
		for (enum thread_state state = STATE_RUNNING; state < NSTATES; state++)
			sample_join(&samples[state], x->states[state].times,
				    (double)x->states[state].total);
	}
	states_free(s);
}

void diff_threads(struct diff_changes *c, struct diff_runs runs)
{
	static const struct diff_measure measures[] = {
	    {"threads", DIFF_COUNT, ASPECT_COUNT, 0},
	    {"life", DIFF_TIME, ASPECT_TOTAL, 0},
	    {"running", DIFF_TIME, ASPECT_TOTAL, STATE_RUNNING},
	    {"ready", DIFF_TIME, ASPECT_TOTAL, STATE_READY},
	    {"blocked", DIFF_TIME, ASPECT_TOTAL, STATE_BLOCKED},
	};
	struct diff_rows rows = {.nruns = runs.n};

	for (unsigned run = 0; run < runs.n; run++)
		threads_take(&rows, runs.at[run], run);
	diff_rows_compare(&rows, c, DIFF_THREADS, measures, sizeof measures / sizeof *measures);
}

/* ---- locks ---- */

/* A lock that has no name is known by where it is taken: its number says nothing of another run. */
static char *lock_row_name(const struct locks *l, const struct lock_tally *t)
{
	const struct lock *lock = &l->names.locks.at[t->lock];
	const char *site = lock_site_text(&l->names, t->site);

	if (!symbols_is_numbered(lock->name, lock->kind))
		return text_format("%s", lock->name);
	return text_format("%s of %.*s", *lock->kind ? lock->kind : "lock",
			   (int)function_length(site), *site ? site : "?");
}

static void tally_take(struct diff_rows *rows, const struct locks *l, const struct lock_tally *t,
		       unsigned run)
{
	char *name = lock_row_name(l, t);
	struct sample *samples = diff_row_samples(rows, name, run);

	int64_t *times = array_new(t->times.n, sizeof *times);

	value_bag_list(&t->times, times);
	for (size_t i = 0; i < t->times.n; i++)
		sample_add(&samples[t->hold], (double)times[i]);
	samples[2].n += t->takes + (t->hold ? t->times.n : 0);
	free(times);
	free(name);
}

static void locks_take(struct diff_rows *rows, struct trace *t, unsigned run)
{
	struct locks *l = locks_of(t, &LOCK_PART_ALL, false);

	for (unsigned i = 0; i < t->nthreads; i++)
		for (size_t k = 0; k < l->threads[i].tallies.n; k++) {
			const struct lock_tally *x = &l->threads[i].tallies.at[k];

			if (!l->names.locks.at[x->lock].is_thread)
				tally_take(rows, l, x, run);
		}
	locks_free(l);
}

void diff_locks(struct diff_changes *c, struct diff_runs runs)
{
	static const struct diff_measure measures[] = {
	    {"acquisitions", DIFF_COUNT, ASPECT_COUNT, 2},
	    {"contended", DIFF_COUNT, ASPECT_COUNT, 0},
	    {"wait_total", DIFF_TIME, ASPECT_TOTAL, 0},
	    {"wait_mean", DIFF_TIME, ASPECT_MEAN, 0},
	    {"hold_total", DIFF_TIME, ASPECT_TOTAL, 1},
	    {"hold_mean", DIFF_TIME, ASPECT_MEAN, 1},
	};
	struct diff_rows rows = {.nruns = runs.n};

	for (unsigned run = 0; run < runs.n; run++)
		if (spec_has_locks(runs.at[run]->spec))
			locks_take(&rows, runs.at[run], run);
	diff_rows_compare(&rows, c, DIFF_LOCKS, measures, sizeof measures / sizeof *measures);
}

/* ---- memory ---- */

static void frame_print(FILE *out, const char *frame)
{
	fwrite(frame, 1, function_length(frame), out);
}

/* "inner < caller < main". */
static char *path_name(const struct heap *h, const struct call_paths *paths,
		       const struct heap_site *s)
{
	struct frame f = {.parent = s->stack};
	unsigned frames = 0;
	char *text, *frame;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	if (!out)
		array_exhausted();
	while (h->by == SITE_STACK && frames < CALL_PATH_MOST &&
	       call_path_frame(paths, s->process, f.parent, &f)) {
		frame = code_name(h->trace, s->process, f.address, f.low, f.time);
		fputs(frames++ ? " < " : "", out);
		frame_print(out, frame);
		frames = strncmp(frame, "main", 4) == 0 && (!frame[4] || strchr("+ ", frame[4]))
			     ? CALL_PATH_MOST
			     : frames;
		free(frame);
	}
	if (h->by == SITE_CODE) {
		frame = code_name(h->trace, s->process, s->stack, false, s->time);
		frame_print(out, frame);
		free(frame);
	} else if (!frames) {
		fputs(h->by == SITE_ONE ? h->role->interval->name : "(unknown)", out);
	}
	fclose(out);
	return text;
}

static void heap_take(struct diff_rows *rows, struct trace *t, const struct role *role,
		      unsigned run)
{
	struct heap *h = heap_of(t, role);
	struct call_paths *paths = call_paths_make(t);

	for (size_t i = 0; i < h->nsites; i++) {
		const struct heap_site *s = &h->sites[i];
		char *name = path_name(h, paths, s);
		struct sample *samples = diff_row_samples(rows, name, run);

		sample_join(&samples[0], s->taken.n, (double)s->taken.bytes);
		sample_join(&samples[1], s->peak.n, (double)s->peak.bytes);
		sample_join(&samples[2], s->alive.n, (double)s->alive.bytes);
		free(name);
	}
	call_paths_free(paths);
	heap_free(h);
}

static void memory_take(struct diff_rows *rows, struct trace *t, unsigned run)
{
	unsigned n;
	struct role *lives = roles_of_kind(t->spec, KIND_LIFE, &n);

	for (unsigned i = 0; i < n; i++)
		if (!role_is_threads_life(&lives[i]))
			heap_take(rows, t, &lives[i], run);
	free(lives);
}

void diff_memory(struct diff_changes *c, struct diff_runs runs)
{
	static const struct diff_measure measures[] = {
	    {"count", DIFF_COUNT, ASPECT_COUNT, 0},       {"bytes", DIFF_BYTES, ASPECT_TOTAL, 0},
	    {"peak_bytes", DIFF_BYTES, ASPECT_TOTAL, 1},  {"alive", DIFF_COUNT, ASPECT_COUNT, 2},
	    {"alive_bytes", DIFF_BYTES, ASPECT_TOTAL, 2},
	};
	struct diff_rows rows = {.nruns = runs.n};

	for (unsigned run = 0; run < runs.n; run++)
		memory_take(&rows, runs.at[run], run);
	diff_rows_compare(&rows, c, DIFF_MEMORY, measures, sizeof measures / sizeof *measures);
}
