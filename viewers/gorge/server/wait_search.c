#include "viewers/gorge/server/wait_search.h"
#include "analysis/why/meanwhile.h"
#include "analysis/why/why.h"

struct why *found_waits_new(struct trace *t)
{
	struct why_options o = {.to = t->duration};

	return why_of(t, &o, &(struct diag){0});
}

void found_waits_free(struct why *w)
{
	if (w)
		why_free(w);
}

/* A wait of which it is known who ended it. */
struct known_wait {
	uint32_t blocker; /* NO_THREAD: there is none */
	struct moment_range range;
};

/*
 * Finds the wait of a thread that has the most of [from, to]; of times that are alike, the
 * innermost.
 */
static struct known_wait wait_find(const struct evidence *g, uint32_t thread, int64_t from,
				   int64_t to)
{
	const span_vector *waits = instance_spans(g->set, SPANS_WAIT, thread);
	struct known_wait found = {.blocker = NO_THREAD};
	int64_t most = 0;

	for (size_t i = 0; i < waits->n && waits->at[i].start <= to; i++) {
		const struct wait_fact *w = &g->waits[thread][i];
		int64_t begin = waits->at[i].start, end = w->blocked_until < waits->at[i].end
							      ? w->blocked_until
							      : waits->at[i].end;
		int64_t shared = (end < to ? end : to) - (begin > from ? begin : from);

		if (w->blocker == NO_THREAD || shared < most || end <= begin || shared <= 0)
			continue;
		most = shared;
		found = (struct known_wait){w->blocker, {begin, end}};
	}
	return found;
}

bool found_waits_look(const struct why *w, uint32_t thread, int64_t from, int64_t to,
		      struct waited *found)
{
	const struct evidence *g = w->evidence;
	struct known_wait wait = wait_find(g, thread, from, to);
	struct meanwhile m = {0};

	if (wait.blocker == NO_THREAD)
		return false;
	meanwhile_add(&m, g, wait.blocker, &wait.range, 1);
	*found =
	    (struct waited){wait.blocker, wait.range.to - wait.range.from, meanwhile_text(&m, g)};
	return true;
}
