#include "match/stats/account.h"
#include "base/array.h"
#include "base/parallel.h"
#include "base/search.h"
#include "base/spill.h"
#include "base/units.h"
#include <pthread.h>
#include <stdlib.h>

static const struct {
	const char *name, *text;
} fates[] = {
    [FATE_MATCHED] = {"matched", "matched"},
    [FATE_NONE] = {"no_partner", "no partner exists"},
    [FATE_CUT] = {"cut_off", "cut off by the end of the trace"},
    [FATE_LOST] = {"lost", "events were lost"},
    [FATE_OFF] = {"switched_off", "its partner was switched off"},
};

const char *fate_text(enum fate fate)
{
	return fates[fate].text;
}

const char *fate_name(enum fate fate)
{
	return fates[fate].name;
}

static int compare_periods(const void *a, const void *b)
{
	const struct period *x = a, *y = b;

	return (x->from > y->from) - (x->from < y->from);
}

/* Lists the gaps of one kind that matter to partners of the type, joined where they touch. */
static struct periods periods_of(const struct trace *t, enum gap_kind kind,
				 const struct event_type *type)
{
	struct periods s = {NULL, 0};
	size_t n = 0;

	s.list = array_new(t->ngaps, sizeof *s.list);
	for (size_t i = 0; i < t->ngaps; i++) {
		const struct trace_gap *gap = &t->gaps[i];

		if (gap->kind == kind && (!gap->type || gap->type == type))
			s.list[n++] = (struct period){gap->from, gap->to};
	}
	qsort(s.list, n, sizeof *s.list, compare_periods);
	for (size_t i = 0; i < n; i++) {
		struct period *last = s.n ? &s.list[s.n - 1] : NULL;

		if (last && s.list[i].from <= last->to)
			last->to = s.list[i].to > last->to ? s.list[i].to : last->to;
		else
			s.list[s.n++] = s.list[i];
	}
	return s;
}

/* Tells whether one of the periods has a moment of [from, to]. */
static bool periods_meet(const struct periods *s, int64_t from, int64_t to)
{
	size_t low = lower_bound(i, 0, s->n, s->list[i].to < from);

	return low < s->n && s->list[low].from <= to;
}

static int64_t add_up_to(int64_t a, int64_t b)
{
	int64_t sum;

	return __builtin_add_overflow(a, b, &sum) ? INT64_MAX : sum;
}

/* Returns the fate of an anchor without a partner. */
static enum fate fate_at(const struct account *a, const struct interval *interval, bool matched,
			 int64_t time)
{
	bool forwards = interval->direction == FORWARDS;
	int64_t reach = matched ? a->reach : a->end;
	int64_t from = forwards ? time : time - reach,
		to = forwards ? add_up_to(time, reach) : time;

	if (periods_meet(&a->off, from, to))
		return FATE_OFF;
	if (periods_meet(&a->lost, from, to))
		return FATE_LOST;
	if (matched && (forwards ? to > a->end : from < 0))
		return FATE_CUT;
	return FATE_NONE;
}

enum fate account_fate(const struct account *a, const struct matches *m, size_t anchor)
{
	if (m->partner_of[anchor] != UNMATCHED)
		return FATE_MATCHED;
	return fate_at(a, m->interval, m->matched > 0, moments_time(&m->anchors, anchor));
}

/* Counts the partners that serve no anchor, and those that serve several. */
static void count_partners(const struct matches *m, struct account *a)
{
	uint8_t *served = spill_zero(m->partners.count, sizeof *served);

	for (size_t i = 0; i < m->count; i++) {
		uint32_t p = m->partner_of[i];

		if (p != UNMATCHED && served[p] < 2)
			served[p]++;
	}
	a->partners = m->partners.count;
	for (size_t p = 0; p < m->partners.count; p++) {
		a->unserved += served[p] == 0;
		a->shared += served[p] > 1;
	}
	spill_free(served);
}

struct fate_count {
	const struct matches *matches;
	struct account *account;
	pthread_mutex_t mutex;
};

static void find_reach(void *context, size_t from, size_t to)
{
	struct fate_count *c = context;
	int64_t reach = 0;

	for (size_t i = from; i < to; i++) {
		int64_t duration =
		    c->matches->partner_of[i] == UNMATCHED ? 0 : matches_duration(c->matches, i);

		reach = duration > reach ? duration : reach;
	}
	pthread_mutex_lock(&c->mutex);
	if (reach > c->account->reach)
		c->account->reach = reach;
	pthread_mutex_unlock(&c->mutex);
}

static void count_fates(void *context, size_t from, size_t to)
{
	struct fate_count *c = context;
	size_t count[NFATES] = {0};

	for (size_t i = from; i < to; i++)
		count[account_fate(c->account, c->matches, i)]++;
	pthread_mutex_lock(&c->mutex);
	for (enum fate fate = 0; fate < NFATES; fate++)
		c->account->anchors[fate] += count[fate];
	pthread_mutex_unlock(&c->mutex);
}

static struct account account_begin(const struct trace *t, const struct interval *interval,
				    int64_t reach)
{
	return (struct account){
	    .end = t->duration,
	    .reach = reach,
	    .lost = periods_of(t, GAP_LOST, NULL),
	    .off = periods_of(t, GAP_OFF, end_event(&interval->partner)),
	};
}

void account_within(const struct trace *t, const struct matches *m, int64_t reach,
		    struct account *a)
{
	struct fate_count c = {m, a, PTHREAD_MUTEX_INITIALIZER};

	*a = account_begin(t, m->interval, reach);
	parallel_chunks(m->count, count_fates, &c);
	count_partners(m, a);
	a->not_asked = m->not_asked;
}

void account_tally(const struct trace *t, const struct tally *tally, int64_t reach,
		   struct account *a)
{
	*a = account_begin(t, tally->interval, reach);
	a->anchors[FATE_MATCHED] = tally->matched;
	for (size_t i = tally->matched; i < tally->anchors; i++)
		a->anchors[fate_at(a, tally->interval, tally->matched > 0, tally->words[i])]++;
	a->partners = tally->partners;
	a->unserved = tally->unserved;
	a->shared = tally->shared;
}

void account_of(const struct trace *t, const struct matches *m, struct account *a)
{
	struct fate_count c = {m, a, PTHREAD_MUTEX_INITIALIZER};

	a->reach = 0;
	parallel_chunks(m->count, find_reach, &c);
	account_within(t, m, a->reach, a);
}

void account_clear(struct account *a)
{
	free(a->lost.list);
	free(a->off.list);
}

void account_print(const struct account *a, FILE *out)
{
	char text[UNITS_TEXT];

	for (enum fate fate = FATE_NONE; fate < NFATES; fate++)
		if (a->anchors[fate])
			fprintf(out, ", %s: %s", fates[fate].text,
				units_count(text, a->anchors[fate]));
	if (a->not_asked)
		fprintf(out, ", not asked: %s", units_count(text, a->not_asked));
	if (a->unserved)
		fprintf(out, ", partners that serve none: %s", units_count(text, a->unserved));
	if (a->shared)
		fprintf(out, ", partners that serve several: %s", units_count(text, a->shared));
}
