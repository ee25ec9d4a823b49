/*
 * redefine DIR...: a trace whose definitions are changed again and again shows what one does that is opened with
 * them, while questions are asked of the definitions before, and searches for theirs are under way. SEED=N repeats a run.
 * Prints TAP.
 */
#include "tests/sanitized.h"
#include "tests/tap.h"
#include "viewers/gorge/query/definitions.h"
#include "viewers/gorge/query/distribution.h"
#include "viewers/gorge/query/lookup.h"
#include "viewers/gorge/scene/dump.h"
#include "viewers/gorge/build/build.h"
#include <inttypes.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

enum { CHANGES = SANITIZED ? 12 : 60, POOL = 6, NAMES = 3, QUESTIONS = 20 };

static uint64_t lot(uint64_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	return *state ^= *state << 17;
}

/* One of some definitions, which is always the same, with a name and looks that are not. */
static void put_definition(const struct spec *spec, unsigned which, unsigned name, uint64_t *state, FILE *out)
{
	static const char *const ways[] = {"->", "<-"},
				 *const pairings[] = {"", " once", " where a.thread != b.thread", " where b.time - a.time != 3",
						" where b.time - a.time > 2.5", " where a.owner != \"main\""},
				 *const forms[] = {"", " = rectangle", " = line", " = line (colour \"red\")"};
	const char *from = spec->events[which % spec->nevents]->name,
		   *to = spec->events[which / 2 % spec->nevents]->name;

	fprintf(out, "interval N%u_%u [ a:%s %s b:%s ]%s%s", which, name, from, ways[which % 2], to, pairings[which % 6],
		forms[lot(state) % 4]);
	fprintf(out, lot(state) % 2 ? ";\n" : " metric twice = time + %u;\n", which);
}

/* What was logged, and some of those definitions in any order. */
static char *definitions(const struct spec *logged, uint64_t *state)
{
	char *text = NULL;
	const char *items;
	size_t size, length = spec_items(logged, &items);
	FILE *out = open_memstream(&text, &size);
	unsigned first = (unsigned)(lot(state) % POOL);

	fprintf(out, "glimpse changed\n%.*s\n", (int)length, items);
	for (unsigned i = 0; i < POOL; i++)
		if (lot(state) % 2)
			put_definition(logged, (first + i) % POOL, (unsigned)(lot(state) % NAMES), state, out);
	fprintf(out, "end\n");
	fclose(out);
	return text;
}

static struct trace_index *opened_with(const char *directory, const char *text)
{
	char path[] = "changed.XXXXXX";
	int fd = mkstemp(path);
	FILE *out = fdopen(fd, "w");
	struct trace *t;

	fputs(text, out);
	fclose(out);
	t = trace_open(&directory, 1, path, &(struct diag){0});
	unlink(path);
	return t ? trace_index_new(t, &(struct diag){0}) : NULL;
}

/* Some of the intervals; all, when none was chosen. */
static char *choice(const struct spec *spec, uint64_t *state)
{
	char *list = text_format("%s", "");

	for (unsigned i = 0; i < spec->nintervals; i++) {
		char *before = list;
		if (lot(state) % 2)
			continue;
		list = text_format("%s%s%s", before, *before ? "," : "", spec->intervals[i]->name);
		free(before);
	}
	if (*list)
		return list;
	free(list);
	return text_format("all");
}

static char *seen(struct trace_index *m, const char *intervals, int64_t from, int64_t to)
{
	struct view v = {.width = 700, .theme = &theme_light, .events = "all", .intervals = intervals,
			 .window = {from, to}, .has_from = true, .has_to = true};
	struct scene *s = scene_build(&v, m, &(struct diag){0});
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	for (unsigned i = 0; i < s->nintervals; i++)
		fputs(s->intervals[i].waiting ? "waiting\n" : "", out);
	scene_dump(s, out);
	fclose(out);
	scene_free(s);
	return text;
}

static bool same_views(struct trace_index *changed, struct trace_index *fresh, uint64_t *state)
{
	uint64_t length = (uint64_t)fresh->trace->duration + 2;
	bool same = true;

	for (int i = 0; i < 3; i++) {
		char *intervals = choice(fresh->trace->spec, state);
		int64_t from = i ? (int64_t)(lot(state) % length) - 1 : -1,
			to = from + 1 + (int64_t)(i ? lot(state) % length : length);
		char *a = seen(changed, intervals, from, to), *b = seen(fresh, intervals, from, to);
		same &= !strcmp(a, b);
		if (strcmp(a, b) != 0)
			printf("# %s from %" PRId64 " to %" PRId64 " of\n%s\n%s\ninstead of\n%s\n", intervals, from, to,
			       fresh->trace->spec->text, a, b);
		free(a);
		free(b);
		free(intervals);
	}
	return same;
}

/* Who asks slowly of definitions that are gone. */
struct asking {
	struct trace_index *index;
	uint64_t state;
	pthread_t thread;
	uint64_t sum;
};

static void add_lengths(void *context, const struct instance_lengths *l, unsigned worker)
{
	(void)worker;
	for (size_t i = 0; i < l->n; i++)
		atomic_fetch_add((_Atomic uint64_t *)context, (uint64_t)length_at(l, i));
}

static void *ask(void *context)
{
	struct asking *a = context;
	const struct trace *t = a->index->trace;
	_Atomic uint64_t sum = 0;

	for (int i = 0; i < QUESTIONS; i++) {
		const struct interval *interval = t->spec->intervals[lot(&a->state) % t->spec->nintervals];
		uint64_t n = lookup_instances(a->index, interval);
		distribution_lengths(a->index, interval, &(struct duration_query){.window = &(struct window){0, t->duration}},
				     add_lengths, &sum);
		if (n)
			sum += lookup_step(a->index, interval, lot(&a->state) % n, (enum instance_step)(lot(&a->state) % STEP_NONE));
	}
	a->sum = sum;
	trace_index_free(a->index);
	return NULL;
}

static struct trace_index *change(struct trace_index *m, const char *text, uint64_t *state, struct asking *asking)
{
	struct spec *spec = definitions_read(text, NULL, &(struct diag){0});
	struct trace_index *changed;

	if (lot(state) % 2)
		matcher_begin(m->matcher);
	*asking = (struct asking){.index = m->trace->spec->nintervals ? trace_index_hold(m) : NULL, .state = lot(state) | 1};
	changed = trace_index_respecify(m, spec);
	if (!changed)
		spec_free(spec);
	trace_index_free(m);
	if (asking->index)
		pthread_create(&asking->thread, NULL, ask, asking);
	return changed;
}

static void compare(const char *directory, uint64_t seed)
{
	uint64_t state = seed * 2 + 1;
	struct trace *t = trace_open(&directory, 1, NULL, &(struct diag){0});
	char *said = text_format("%s: changed definitions are shown as new ones are", directory);
	struct spec *logged = definitions_read(t->spec->text, NULL, &(struct diag){0});
	struct trace_index *m = trace_index_new(t, &(struct diag){0});
	int same = 0;

	for (int i = 0; i < CHANGES && m; i++) {
		char *text = definitions(logged, &state);
		struct asking asking;
		struct trace_index *fresh = opened_with(directory, text);
		m = fresh ? change(m, text, &state, &asking) : m;
		/* two definitions of one name are none */
		same += !fresh || (m && same_views(m, fresh, &state));
		if (fresh && asking.index)
			pthread_join(asking.thread, NULL);
		trace_index_free(fresh);
		free(text);
	}
	ok(same == CHANGES, said);
	free(said);
	spec_free(logged);
	trace_index_free(m);
}

int main(int argc, char **argv)
{
	uint64_t seed = getenv("SEED") ? strtoull(getenv("SEED"), NULL, 10) : (uint64_t)time(NULL);

	printf("# SEED=%" PRIu64 "\n", seed);
	for (int i = 1; i < argc; i++)
		compare(argv[i], seed);
	return tap_end();
}
