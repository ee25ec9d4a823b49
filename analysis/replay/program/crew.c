#include "analysis/replay/program/crew.h"
#include "analysis/replay/program/operation_lists.h"
#include "base/sort.h"
#include <stdlib.h>

#define NOBODY UINT32_MAX

/* Of what a crew does, so much at most may be beside its pieces: it might be a fixed share. */
static const double most_beside = 0.1;

/* Who waits for a post, beside the thread that does it. */
enum awaited { BY_THREADS = 1, BY_PIECES = 2 };

struct resizing {
	struct operation_lists lists;
	const struct crew *crew;
	uint32_t *posters; /* by post: the thread that does it beside pieces; NOBODY */
	uint8_t *awaited;  /* by post */
	uint32_t *waiters; /* by post: how many waits there are for it */
	uint32_t *takers;  /* by lock: how many of the crew take it beside pieces */
	bool *contested;   /* by lock: others take it, too */
	uint32_t *doubles; /* by post: the first of its doubles; NOBODY: it has none */
};

static bool is_wait(const struct operation *o)
{
	return o->kind == OPERATION_WAIT || o->kind == OPERATION_POLL;
}

static bool is_of_crew(const struct crew *c, uint32_t thread)
{
	for (uint32_t i = 0; i < c->n; i++)
		if (c->threads[i] == thread)
			return true;
	return false;
}

/* ---- who posts, waits and locks ---- */

static void posters_find(struct resizing *r, uint32_t nposts)
{
	r->posters = array_new(nposts, sizeof *r->posters);
	memset(r->posters, 0xff, nposts * sizeof *r->posters);
	for (uint32_t t = 0; t < r->lists.nthreads; t++)
		for (size_t i = 0; i < r->lists.threads[t].n; i++)
			if (r->lists.threads[t].at[i].kind == OPERATION_POST)
				r->posters[r->lists.threads[t].at[i].what] = t;
}

static void awaited_find(struct resizing *r, uint32_t nposts)
{
	r->awaited = array_zero(nposts, sizeof *r->awaited);
	r->waiters = array_zero(nposts, sizeof *r->waiters);
	for (uint32_t t = 0; t < r->lists.nthreads; t++)
		for (size_t i = 0; i < r->lists.threads[t].n; i++) {
			const struct operation *o = &r->lists.threads[t].at[i];

			if (!is_wait(o))
				continue;
			r->waiters[o->what]++;
			if (r->posters[o->what] != t)
				r->awaited[o->what] |= BY_THREADS;
		}
	for (size_t i = 0; i < r->lists.pieces.n; i++)
		if (is_wait(&r->lists.pieces.at[i])) {
			r->awaited[r->lists.pieces.at[i].what] |= BY_PIECES;
			r->waiters[r->lists.pieces.at[i].what]++;
		}
}

static void locks_find(struct resizing *r, uint32_t nlocks)
{
	uint32_t *last = array_new(nlocks, sizeof *last);

	r->takers = array_zero(nlocks, sizeof *r->takers);
	r->contested = array_zero(nlocks, sizeof *r->contested);
	memset(last, 0xff, nlocks * sizeof *last);
	for (uint32_t t = 0; t < r->lists.nthreads; t++) {
		bool of_crew = is_of_crew(r->crew, t);

		for (size_t i = 0; i < r->lists.threads[t].n; i++) {
			const struct operation *o = &r->lists.threads[t].at[i];

			if (o->kind != OPERATION_TAKE)
				continue;
			r->contested[o->what] |= !of_crew;
			r->takers[o->what] += of_crew && last[o->what] != t;
			last[o->what] = t;
		}
	}
	for (size_t i = 0; i < r->lists.pieces.n; i++)
		if (r->lists.pieces.at[i].kind == OPERATION_TAKE)
			r->contested[r->lists.pieces.at[i].what] = true;
	free(last);
}

static void resizing_begin(struct resizing *r, struct operations *o)
{
	r->lists = operation_lists_of(o);
	posters_find(r, o->nposts);
	awaited_find(r, o->nposts);
	locks_find(r, o->nlocks);
}

static void resizing_end(struct resizing *r, struct operations *o)
{
	operation_lists_put(&r->lists, o);
	free(r->posters);
	free(r->awaited);
	free(r->waiters);
	free(r->takers);
	free(r->contested);
	free(r->doubles);
}

/* ---- who begins them ---- */

/* Returns the post that lets a thread begin; NOBODY: none does. */
static uint32_t creation_of(const struct resizing *r, uint32_t thread)
{
	const struct operation *first = &r->lists.threads[thread].at[0];

	if (first->kind != OPERATION_WAIT || r->posters[first->what] == thread)
		return NOBODY;
	return first->what;
}

/* Whether a post lets nobody but one thread of the crew begin. */
static bool creation_is_own(const struct resizing *r, uint32_t creation)
{
	return creation != NOBODY && r->waiters[creation] == 1;
}

static bool begins_member(const struct resizing *r, const struct operation *o)
{
	for (uint32_t i = 0; o->kind == OPERATION_POST && i < r->crew->n; i++)
		if (creation_of(r, r->crew->threads[i]) == o->what)
			return true;
	return false;
}

/* ---- which members do only what the others do, too ---- */

/* Whether a part of a list is posts, delays and yields, and what is of one more kind. */
static bool only_posts(const operation_list *list, size_t from, size_t to, enum operation_kind more)
{
	for (size_t i = from; i < to; i++)
		if (list->at[i].kind != OPERATION_POST && list->at[i].kind != OPERATION_DELAY &&
		    list->at[i].kind != OPERATION_YIELD && list->at[i].kind != more)
			return false;
	return true;
}

/* Whether nothing but its end comes after an operation of a list. */
static bool is_at_end(const operation_list *list, size_t i)
{
	return only_posts(list, i + 1, list->n, OPERATION_END);
}

/* Whether a thread has only waited to begin before an operation of its list. */
static bool is_at_begin(const operation_list *list, size_t i)
{
	return only_posts(list, 0, i, OPERATION_WAIT);
}

/*
 * Whether an operation of a member only tells its creator, which has created all members by then,
 * that the member has begun: as a barrier does where a team of OpenMP starts.
 */
static bool reports_begin(const struct resizing *r, uint32_t thread, size_t i)
{
	const operation_list *list = &r->lists.threads[thread], *creator;
	uint32_t creation = creation_of(r, thread), post = list->at[i].what;

	if (creation == NOBODY || r->posters[creation] == NOBODY || r->waiters[post] != 1 ||
	    !is_at_begin(list, i))
		return false;
	creator = &r->lists.threads[r->posters[creation]];
	for (size_t k = creator->n; k--;) {
		if (begins_member(r, &creator->at[k]))
			return false;
		if (is_wait(&creator->at[k]) && creator->at[k].what == post)
			return true;
	}
	return false;
}

/* Returns what only this member of the crew does, or NULL. */
static const char *peculiar(const struct resizing *r, uint32_t thread)
{
	const operation_list *list = &r->lists.threads[thread];

	for (size_t i = 0; i < list->n; i++) {
		const struct operation *o = &list->at[i];

		if (o->kind == OPERATION_POST && r->awaited[o->what] & BY_PIECES)
			return "items wait for its work";
		if (o->kind == OPERATION_POST && r->awaited[o->what] && !is_at_end(list, i) &&
		    !reports_begin(r, thread, i))
			return "other threads wait for its work before it ends";
		if (o->kind == OPERATION_TAKE && r->contested[o->what] &&
		    r->takers[o->what] < r->crew->n)
			return "it acquires a lock that the other members do not";
	}
	return NULL;
}

static bool takes_pieces(const operation_list *list)
{
	for (size_t i = 0; i < list->n; i++)
		if (list->at[i].kind == OPERATION_NEXT)
			return true;
	return false;
}

static int64_t work_of(const operation_list *list)
{
	int64_t sum = 0;

	for (size_t i = 0; i < list->n; i++)
		sum += list->at[i].work;
	return sum;
}

/* Returns how long operations run, and wait by themselves. */
static int64_t time_of(const operation_list *list)
{
	int64_t sum = work_of(list);

	for (size_t i = 0; i < list->n; i++)
		sum += operation_waiting(&list->at[i]);
	return sum;
}

/* Returns how long members that are alike compute beside pieces, as a share of the time of both. */
static double share_beside(const struct resizing *r)
{
	double beside = 0, pieces = (double)time_of(&r->lists.pieces);

	for (uint32_t i = 0; i < r->crew->n; i++)
		if (!peculiar(r, r->crew->threads[i]))
			beside += (double)work_of(&r->lists.threads[r->crew->threads[i]]);
	return beside ? beside / (beside + pieces) : 0;
}

/* Returns why a crew has to stay as it is, or NULL. */
static char *fixed(const struct resizing *r)
{
	double share = share_beside(r);

	for (uint32_t i = 0; i < r->crew->n; i++)
		if (!takes_pieces(&r->lists.threads[r->crew->threads[i]]))
			return text_format(
			    "its items are copied, so other threads cannot take them");
	if (share > most_beside)
		return text_format(
		    "its threads spend %.0f %% of their time on work outside the items; which thread "
		    "would do that work is unknown",
		    100 * share);
	return NULL;
}

/* ---- what a creation takes ---- */

/* Returns the median time from one creation of a member to the next in a list; 0: there is one. */
static int64_t creation_time(const struct resizing *r, const operation_list *list)
{
	VECTOR(int64_t) gaps = {0};
	int64_t work = 0, time;
	bool first = true;

	for (size_t i = 0; i < list->n; i++) {
		work += list->at[i].work;
		if (!begins_member(r, &list->at[i]))
			continue;
		if (!first)
			*vector_add(&gaps) = work;
		first = false;
		work = 0;
	}
	time = median_word(gaps.at, gaps.n, 0);
	free(gaps.at);
	return time;
}

/* ---- fewer ---- */

/* Takes the waits for a thread's posts out of a list, and its creation, which takes some time. */
static void traces_remove(const struct resizing *r, operation_list *list, uint32_t thread,
			  int64_t time)
{
	uint32_t creation = creation_of(r, thread);
	int64_t work = 0; /* before what is left out */
	size_t kept = 0;

	for (size_t i = 0; i < list->n; i++) {
		struct operation *o = &list->at[i];

		o->work += work;
		work = 0;
		if (o->kind == OPERATION_POST && o->what == creation &&
		    creation_is_own(r, creation))
			work = o->work > time ? o->work - time : 0;
		else if (is_wait(o) && r->posters[o->what] == thread)
			work = o->work;
		else
			list->at[kept++] = *o;
	}
	list->n = kept;
}

static void thread_remove(struct resizing *r, struct operations *o, uint32_t thread)
{
	const operation_list *list = &r->lists.threads[thread];
	uint32_t creation = creation_of(r, thread);
	uint32_t creator = creation == NOBODY ? NOBODY : r->posters[creation];
	int64_t time = creator == NOBODY ? 0 : creation_time(r, &r->lists.threads[creator]);

	for (size_t i = 0; i < list->n; i++)
		if (list->at[i].kind == OPERATION_MEET)
			o->members[list->at[i].what]--;
	for (uint32_t t = 0; t < r->lists.nthreads; t++)
		if (t != thread)
			traces_remove(r, &r->lists.threads[t], thread, time);
}

/* Leaves out so many members, the last ones first. */
static char *crew_shrink(struct resizing *r, struct operations *o, uint32_t less)
{
	uint32_t *out = array_new(less, sizeof *out), n = 0;
	const char *reason = NULL;

	for (uint32_t i = r->crew->n; i && n < less; i--) {
		const char *own = peculiar(r, r->crew->threads[i - 1]);

		if (own)
			reason = own;
		else
			out[n++] = r->crew->threads[i - 1];
	}
	if (n == less) {
		for (uint32_t i = 0; i < less; i++)
			thread_remove(r, o, out[i]);
		for (uint32_t i = 0; i < less; i++)
			operation_lists_remove(&r->lists, out[i]);
	}
	free(out);
	if (n == less)
		return NULL;
	return text_format("%u of its %u threads cannot be removed: %s", r->crew->n - n, r->crew->n,
			   reason);
}

/* ---- more ---- */

static int by_work(const void *a, const void *b)
{
	const int64_t *x = a, *y = b;

	return (x[0] > y[0]) - (x[0] < y[0]);
}

/* Returns the member with the median of own work, of those that can be copied; NOBODY: none can. */
static uint32_t typical(const struct resizing *r)
{
	int64_t(*all)[2] = array_new(r->crew->n, sizeof *all);
	uint32_t n = 0, found;

	for (uint32_t i = 0; i < r->crew->n; i++) {
		uint32_t t = r->crew->threads[i];

		if (peculiar(r, t))
			continue;
		all[n][0] = work_of(&r->lists.threads[t]);
		all[n++][1] = t;
	}
	if (n)
		qsort(all, n, sizeof *all, by_work);
	found = n ? (uint32_t)all[n / 2][1] : NOBODY;
	free(all);
	return found;
}

/* Creates so many threads more in a list, after those that it creates. */
static void creations_add(struct resizing *r, operation_list *list, uint32_t first, uint32_t more)
{
	size_t after = 0;
	struct operation post = {.kind = OPERATION_POST,
				 .work = creation_time(r, list),
				 .latency = NO_LATENCY,
				 .core = NO_CORE};

	for (size_t i = 0; i < list->n; i++)
		if (begins_member(r, &list->at[i]))
			after = i + 1;
	for (uint32_t i = 0; i < more; i++) {
		post.what = first + i;
		operation_insert(list, after + i, post);
	}
}

/* Gives each post of a list, and the one that begins it, as many doubles. */
static void doubles_find(struct resizing *r, struct operations *o, uint32_t thread, uint32_t more)
{
	const operation_list *list = &r->lists.threads[thread];
	uint32_t creation = creation_of(r, thread), nposts = o->nposts;

	r->doubles = array_new(nposts, sizeof *r->doubles);
	memset(r->doubles, 0xff, nposts * sizeof *r->doubles);
	for (size_t i = 0; i < list->n; i++)
		if (list->at[i].kind == OPERATION_POST) {
			r->doubles[list->at[i].what] = o->nposts;
			o->nposts += more;
		}
	if (creation == NOBODY || r->posters[creation] == NOBODY)
		return;
	r->doubles[creation] = o->nposts;
	o->nposts += more;
	creations_add(r, &r->lists.threads[r->posters[creation]], r->doubles[creation], more);
}

/* Who waits for the end of the copied thread waits for that of the copies, too. */
static void joins_add(struct resizing *r, uint32_t of, uint32_t nposts, uint32_t more)
{
	for (uint32_t t = 0; t < r->lists.nthreads; t++) {
		operation_list *list = &r->lists.threads[t], longer = {0};

		for (size_t i = 0; i < list->n; i++) {
			struct operation o = list->at[i];

			*vector_add(&longer) = o;
			if (t == of || o.kind != OPERATION_WAIT || o.what >= nposts ||
			    r->posters[o.what] != of)
				continue;
			o.work = 0;
			for (uint32_t k = 0; k < more; k++) {
				*vector_add(&longer) = o;
				longer.at[longer.n - 1].what = r->doubles[o.what] + k;
			}
		}
		free(list->at);
		*list = longer;
	}
}

static void copy_add(struct resizing *r, struct operations *o, uint32_t of, uint32_t creation,
		     uint32_t number)
{
	uint32_t new = operation_lists_copy(&r->lists, of);
	operation_list *list = &r->lists.threads[new];

	for (size_t i = 0; i < list->n; i++) {
		struct operation *op = &list->at[i];
		bool doubled = op->kind == OPERATION_POST || is_wait(op);

		if (op->kind == OPERATION_MEET)
			o->members[op->what]++;
		/* of the posts of others only the one that begins the thread has doubles */
		if (doubled && r->doubles[op->what] != NOBODY &&
		    (r->posters[op->what] == of || (i == 0 && op->what == creation)))
			op->what = r->doubles[op->what] + number;
	}
}

static char *crew_grow(struct resizing *r, struct operations *o, uint32_t more)
{
	uint32_t of = typical(r), nposts = o->nposts, creation;

	if (of == NOBODY)
		return text_format("none of its threads can be copied: %s",
				   peculiar(r, r->crew->threads[0]));
	creation = creation_of(r, of);
	doubles_find(r, o, of, more);
	joins_add(r, of, nposts, more);
	for (uint32_t i = 0; i < more; i++)
		copy_add(r, o, of, creation, i);
	return NULL;
}

/* ---- all ---- */

char *crew_resize(struct operations *o, const struct crew *crew, uint32_t n)
{
	struct resizing r = {.crew = crew};
	char *reason;

	if (n == crew->n)
		return NULL;
	resizing_begin(&r, o);
	reason = fixed(&r);
	if (!reason)
		reason =
		    n < crew->n ? crew_shrink(&r, o, crew->n - n) : crew_grow(&r, o, n - crew->n);
	resizing_end(&r, o);
	return reason;
}
