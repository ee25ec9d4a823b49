/*
 * picks DIR...: what is picked of the windows of an index is what a walk over all instances finds, with spans
 * and with fans, whatever threads are shown. SEED=N repeats a run. Prints TAP.
 */
#include "tests/viewers/gorge/scene/scenes.h"
#include "viewers/gorge/index/instances.h"
#include "viewers/gorge/query/selection.h"
#include <string.h>

static uint32_t lane_of(const struct scene *s, uint32_t thread)
{
	for (uint32_t i = 0; i < s->nlanes; i++)
		for (size_t r = 0; r < s->lanes[i].threads.n; r++)
			if (s->lanes[i].threads.at[r].first <= thread && thread <= s->lanes[i].threads.at[r].last)
				return i;
	return NO_KEY;
}

static bool is_picked(const struct scene *s, const struct instance *i)
{
	return i->partner.record && i->end - i->start >= s->pick.least && i->end - i->start <= s->pick.most;
}

static bool has(const struct scene *s, const struct instance *i)
{
	return is_picked(s, i) && i->end >= s->window.from && i->start <= s->window.to;
}

/* By lane and column: how many of them begin there; gives how many are between threads that are shown. */
static uint64_t count_begins(const struct scene *s, const struct matches *m, uint64_t *begins)
{
	uint64_t across = 0;
	struct instance i;

	for (size_t a = 0; a < m->count; a++) {
		uint32_t from, to;
		matches_look(m, a, &i);
		if (!has(s, &i))
			continue;
		from = lane_of(s, i.anchor.thread);
		to = lane_of(s, i.partner.thread);
		if (from == NO_KEY || to == NO_KEY)
			continue;
		across += i.anchor.thread != i.partner.thread;
		if (i.anchor.thread == i.partner.thread && i.start >= s->window.from)
			begins[from * s->columns + (uint32_t)scene_column(s, i.start)]++;
	}
	return across;
}

/* Places of events of the index at hand, which take long to find; an event is told again and again. */
enum { KEPT = 1 << 16 };
static struct {
	event_id id;
	size_t place;
	bool is;
} kept[KEPT];

static size_t place_of(struct trace_index *fast, event_id id)
{
	size_t at = (size_t)(id * 11400714819323198485u >> 48) % KEPT;

	if (!kept[at].is || kept[at].id != id) {
		kept[at].id = id;
		kept[at].place = lookup_id(fast, id);
		kept[at].is = true;
	}
	return kept[at].place;
}

/* The anchor that an event is, which the page tells by its place among those of its type. */
static size_t anchor_of(struct trace_index *fast, const struct matches *m, event_id id)
{
	size_t place = place_of(fast, id);

	return lower_bound(i, 0, m->count, moments_place(&m->anchors, i) < place);
}

/*
 * What pieces of the run stand for; or whether a single one is picked. A blocked state that is in the window may have
 * a reason that is not.
 */
static uint64_t expected(const struct scene *s, struct trace_index *fast, const struct matches *m,
			 const struct bar *b, const uint64_t *begins)
{
	struct instance i;
	uint64_t n = 0;

	if (b->count == 1) {
		matches_look(m, anchor_of(fast, m, b->anchor), &i);
		return s->intervals[b->key].explains ? is_picked(s, &i) : has(s, &i);
	}
	for (uint32_t c = (uint32_t)b->x0; c < (uint32_t)b->x1; c++)
		n += begins[b->lane * s->columns + c];
	return n;
}

/* Whether what is drawn for it is one of them, where its events are. */
static bool is_right_link(const struct scene *s, struct trace_index *fast, const struct matches *m, const struct link *link)
{
	struct instance i;
	uint32_t anchor, partner;

	matches_look(m, anchor_of(fast, m, link->anchor), &i);
	anchor = lane_of(s, i.anchor.thread);
	partner = lane_of(s, i.partner.record ? i.partner.thread : i.anchor.thread);
	return link->count > 0 && has(s, &i) &&
	       ((link->start.lane == anchor && link->end.lane == partner) ||
		(link->start.lane == partner && link->end.lane == anchor));
}

static bool is_right_bar(const struct scene *s, const struct bar *b, const uint64_t *begins)
{
	return b->count == 1 || b->x1 - b->x0 < 1 || begins[b->lane * s->columns + (uint32_t)b->x0] > 0;
}

static bool is_picked_right(const struct scene *s, struct trace_index *fast, const struct matches *m)
{
	uint64_t *begins = array_zero((size_t)s->nlanes * s->columns, sizeof *begins), bars = 0,
		 across = count_begins(s, m, begins);
	bool right;

	for (size_t i = 0; i < s->bars.n; i++)
		if (s->bars.at[i].key == s->pick.key)
			bars += expected(s, fast, m, &s->bars.at[i], begins);
	right = bars_of(s->picked) == bars && links_of(s->picked) == across && s->picked->linked == across;
	for (size_t i = 0; right && i < s->picked->bars.n; i++)
		right = is_right_bar(s, &s->picked->bars.at[i], begins);
	for (size_t i = 0; right && i < s->picked->links.n; i++)
		right = is_right_link(s, fast, m, &s->picked->links.at[i]);
	free(begins);
	return right;
}

/* Half of the times the counts are made bit by bit before the picture. Gives in how many more calls than one. */
static int count_slowly(struct trace_index *m, const struct duration_selection *pick, uint64_t *state)
{
	int calls = 0;

	if (lot(state) % 2)
		while (!selection_count(m, pick, 0))
			calls++;
	return calls;
}

/* Often about as many as not. Gives how often counts were gone on with. */
static int compare_picks(const char *name, struct trace *slow, struct matches **found, struct trace_index *fast, uint64_t seed, const char *what)
{
	const struct spec *spec = fast->trace->spec;
	uint64_t state = seed * 2 + 1, length = (uint64_t)fast->trace->duration + 100;
	int right = 0, calls = 0;

	for (int i = 0; i < WINDOWS; i++) {
		const struct interval *interval = spec->intervals[lot(&state) % spec->nintervals];
		int64_t from = (int64_t)(lot(&state) % length) - 50, least = (int64_t)(lot(&state) % length);
		struct window w = {from, from + 1 + (int64_t)(lot(&state) % length)};
		struct duration_selection pick = {interval->name, least / (1 + (int64_t)(lot(&state) % 1000)), least};
		char *threads = lot(&state) % 2 ? threads_of(slow, &state) : NULL;
		calls += count_slowly(fast, &pick, &state);
		struct scene *s = picked_of(fast, &w, &pick, threads);
		bool good = is_picked_right(s, fast, found[interval->index]);
		right += good;
		if (!good)
			printf("# %s: from %" PRId64 " to %" PRId64 ", %s of %" PRId64 " to %" PRId64 ", threads %s\n", name,
			       w.from, w.to, pick.interval, pick.least, pick.most, threads ? threads : "all");
		free(threads);
		scene_free(s);
	}
	report(right == WINDOWS, name, what);
	return calls;
}

int main(int argc, char **argv)
{
	static const struct {
		unsigned many;
		const char *what;
	} ways[] = {
		{64, "what is picked of spans between two threads is all that there is"},
		{1, "what is picked of fans is all that there is"},
	};
	uint64_t seed = seed_said();
	int calls = 0;

	spans_select_step = 1;
	struct diag diag = {.out = stderr, .program = "picks"};

	for (int i = 1; i < argc; i++) {
		const char *const *directory = (const char *const *)argv + i;
		struct trace *slow = trace_open(directory, 1, NULL, &diag);
		struct matches **found = array_zero(slow->spec->nintervals, sizeof *found);
		for (unsigned k = 0; k < slow->spec->nintervals; k++)
			found[k] = match_interval(slow, slow->spec->intervals[k]);
		for (size_t k = 0; slow->spec->nintervals && k < sizeof ways / sizeof *ways; k++) {
			struct trace_index *fast = trace_index_new(trace_open(directory, 1, NULL, &diag), &diag);
			instances_fan_threads = ways[k].many;
			memset(kept, 0, sizeof kept);
			calls += compare_picks(argv[i], slow, found, fast, seed + k, ways[k].what);
			trace_index_free(fast);
		}
		for (unsigned k = 0; k < slow->spec->nintervals; k++)
			matches_free(found[k]);
		free(found);
		trace_close(slow);
	}
	ok(calls > 0, "counts are gone on with");
	return tap_end();
}
