#include "viewers/gorge/build/folds.h"
#include "base/name_pattern.h"
#include <stdlib.h>
#include <string.h>

/*
 * More threads of one name than MOST_ALIKE are one lane. A thread that runs less than a hundredth
 * of its life is idle; where there are at most FEW_LANES, or only one is idle, all are shown.
 */
enum { MOST_ALIKE = 12, FEW_LANES = 6, LEAST_IDLE = 2, HUNDREDTH = 100 };

static unsigned fold_add(struct folds *f, char *name, char letter, uint32_t number)
{
	*vector_add(&f->list) = (struct fold){name, text_format("%c%u", letter, number)};
	return (unsigned)f->list.n;
}

/* ---- threads that are called alike ---- */

/* How many lanes those of a name take. */
struct name_family {
	char *pattern;
	unsigned lanes, last, fold;
};

static struct name_family *family_of(struct name_family *families, unsigned *n, const char *name)
{
	char *pattern = name_pattern(name);

	for (unsigned i = 0; i < *n; i++)
		if (!strcmp(families[i].pattern, pattern)) {
			free(pattern);
			return &families[i];
		}
	families[*n] = (struct name_family){.pattern = pattern};
	return &families[(*n)++];
}

static void fold_families(struct folds *f, const struct trace *t, struct folding *threads,
			  unsigned n)
{
	struct name_family *families = array_zero(n, sizeof *families);
	unsigned nfamilies = 0;

	for (unsigned i = 0; i < n; i++) {
		struct name_family *family =
		    family_of(families, &nfamilies, t->threads[threads[i].thread].name);

		family->lanes += !family->lanes || family->last != threads[i].lane;
		family->last = threads[i].lane;
	}
	for (unsigned i = 0; i < n; i++) {
		const struct trace_thread *thread = &t->threads[threads[i].thread];
		struct name_family *family = family_of(families, &nfamilies, thread->name);

		if (family->lanes <= MOST_ALIKE)
			continue;
		if (!family->fold)
			family->fold = fold_add(f, NULL, 'f', thread->number);
		threads[i].fold = family->fold;
	}
	for (unsigned i = 0; i < nfamilies; i++) {
		unsigned members = 0;

		for (unsigned k = 0; k < n && families[i].fold; k++)
			members += threads[k].fold == families[i].fold;
		if (members)
			f->list.at[families[i].fold - 1].name =
			    text_format("%s, %u", families[i].pattern, members);
		free(families[i].pattern);
	}
	free(families);
}

/* ---- idle threads ---- */

/* The first thread of a process, which others look for first, is shown. */
static bool is_idle(const struct trace *t, const int64_t *running, const struct folding *at)
{
	const struct trace_thread *thread = &t->threads[at->thread];

	return !at->fold && at->thread != t->processes[at->process].first_thread &&
	       thread->events && running[at->thread] < (thread->last - thread->first) / HUNDREDTH;
}

static void fold_idle(struct folds *f, const struct trace *t, const int64_t *running,
		      struct folding *threads, unsigned n)
{
	unsigned idle = 0, busy = 0, fold;

	for (unsigned i = 0; i < n; i++) {
		idle += is_idle(t, running, &threads[i]);
		busy += !is_idle(t, running, &threads[i]);
	}
	if (n <= FEW_LANES || idle < LEAST_IDLE || busy < 2)
		return;
	fold = fold_add(f, text_format("%u idle threads", idle), 'i',
			t->threads[threads[0].thread].number);
	for (unsigned i = 0; i < n; i++)
		if (is_idle(t, running, &threads[i]))
			threads[i].fold = fold;
}

/* ---- all of a group ---- */

/*
 * Brings the threads of a fold together, where its first one is; those of the last fold at the end.
 */
static void bring_together(struct folding *threads, unsigned n, unsigned last)
{
	struct folding *sorted = array_zero(n, sizeof *sorted);
	bool *done = array_zero(n, sizeof *done);
	unsigned at = 0;

	for (unsigned round = 0; round < 2; round++)
		for (unsigned i = 0; i < n; i++) {
			if (done[i] || (!round && last && threads[i].fold == last))
				continue;
			for (unsigned k = i; k < n; k++)
				if (!done[k] && (k == i || (threads[i].fold &&
							    threads[k].fold == threads[i].fold))) {
					done[k] = true;
					sorted[at++] = threads[k];
				}
		}
	memcpy(threads, sorted, n * sizeof *threads);
	free(sorted);
	free(done);
}

void folds_make(struct folds *f, const struct trace *t, const int64_t *running,
		struct folding *threads, unsigned n, bool shared)
{
	size_t before;
	unsigned last = 0;

	fold_families(f, t, threads, n);
	before = f->list.n;
	if (!shared)
		fold_idle(f, t, running, threads, n);
	if (f->list.n > before)
		last = (unsigned)f->list.n;
	if (f->list.n)
		bring_together(threads, n, last);
}

bool *short_processes(const struct trace *t, const int64_t *running)
{
	bool *are = array_zero(t->nprocesses, sizeof *are);
	int64_t *sums = array_zero(t->nprocesses, sizeof *sums), all = 0;
	unsigned n = 0;

	for (unsigned p = 0; p < t->nprocesses; p++) {
		for (unsigned i = 0; i < t->processes[p].nthreads; i++)
			sums[p] += running[t->processes[p].first_thread + i];
		all += sums[p];
	}
	for (unsigned p = 0; p < t->nprocesses; p++) {
		are[p] = sums[p] < all / HUNDREDTH;
		n += are[p];
	}
	free(sums);
	if (n >= LEAST_IDLE && n < t->nprocesses)
		return are;
	free(are);
	return NULL;
}

void folds_free(struct folds *f)
{
	for (size_t i = 0; i < f->list.n; i++) {
		free(f->list.at[i].name);
		free(f->list.at[i].key);
	}
	free(f->list.at);
}
