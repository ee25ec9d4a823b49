#include "analysis/replay/answer/prediction.h"
#include "analysis/graph/guessed_wakers.h"
#include "analysis/replay/answer/paces.h"
#include "analysis/replay/reasons/spin_loop.h"
#include "analysis/replay/recorded/early_holds.h"
#include "analysis/states/processors.h"
#include "base/array.h"
#include "base/hash.h"
#include "base/ranges.h"
#include <math.h>
#include <stdlib.h>

/*
 * A replay that hands out items misses the recorded run by at most so much, or so much more than
 * one that does not. One item more or less for the last thread to end is a matter of luck, up to
 * the third.
 */
static const double most_miss_handed = 0.02, most_miss_more = 0.01, most_luck = 0.05;

/* The processors of the recorded run. Nobody waits for one if all such waits are copied. */
static struct machine recorded_machine(const struct prediction *p, int64_t slice)
{
	return (struct machine){
	    .cores = p->apart ? 0 : p->cores,
	    .slice = slice ? slice : DEFAULT_SLICE,
	    .pull = p->model->readiness->pull,
	    .placed = true,
	    .stays = p->model->readiness->stays,
	    .preempts = p->model->readiness->preempts,
	    .unties = true,
	};
}

/* Returns the replays of what the prediction assumes now, which may not have been made yet. */
static struct unchanged_replays *unchanged_now(struct prediction *p)
{
	const struct unchanged_replays wanted = {.handed = p->handed,
						 .apart = p->apart,
						 .open = p->open != NULL,
						 .limits = p->model->limits.n};

	for (size_t i = 0; i < p->all_unchanged.n; i++) {
		struct unchanged_replays *u = &p->all_unchanged.at[i];

		if (u->handed == wanted.handed && u->apart == wanted.apart &&
		    u->open == wanted.open && u->limits == wanted.limits)
			return u;
	}
	*vector_add(&p->all_unchanged) = wanted;
	return &p->all_unchanged.at[p->all_unchanged.n - 1];
}

/*
 * Returns operations without changes, made in the memory of those before, which stay without it.
 */
static struct operations *unchanged_operations(struct prediction *p, bool without_cost)
{
	return operations_of(p->model, &(struct operation_rules){
					   .without_cost = without_cost,
					   .hand_out = p->handed ? p->hand_out : NULL,
					   .open = p->open,
					   .spent = p->base_operations,
				       });
}

static struct machine unchanged_machine(const struct prediction *p)
{
	struct machine machine = recorded_machine(p, p->slice);

	machine.forgets = true;
	machine.shows = true;
	return machine;
}

/* Replays the run as it was recorded. The operations' memory is kept for the next ones. */
static void recorded_run(struct prediction *p, struct unchanged_replays *u)
{
	struct machine machine = unchanged_machine(p);

	u->operations = unchanged_operations(p, false);
	u->unchanged = replay_run(u->operations, &machine);
	if (!p->base_operations)
		p->base_operations = array_zero(1, sizeof *p->base_operations);
	operations_pass(u->operations, p->base_operations);
}

static void base_run(struct prediction *p, struct unchanged_replays *u)
{
	struct machine machine = unchanged_machine(p);
	struct operations *base = unchanged_operations(p, true);

	operations_free(p->base_operations);
	p->base_operations = base;
	u->base = replay_run(base, &machine);
	u->placements = placements_of(base, &machine, u->base);
	u->base_count = base->all.n;
}

/*
 * Replays without changes, in place of those before; handed: items are handed out. If the recorded
 * run is missed by more than a part of it, or that replay is stuck, the base is not replayed, and
 * is NULL: the caller goes back to other replays.
 */
static void unchanged_try(struct prediction *p, bool handed, double most)
{
	struct unchanged_replays *u;

	p->handed = handed;
	u = unchanged_now(p);
	if (!u->unchanged)
		recorded_run(p, u);
	p->operations = u->operations;
	p->unchanged = u->unchanged;
	if (!u->base && !(p->unchanged->stuck && most < INFINITY) && prediction_miss(p) <= most)
		base_run(p, u);
	p->base = u->base;
	p->base_count = u->base_count;
}

static void unchanged_run(struct prediction *p, bool handed)
{
	unchanged_try(p, handed, INFINITY);
}

/* What the replay that hands out may miss: about as much as the one that does not. */
static double most_handed_miss(const struct prediction *p)
{
	double item = (double)hand_out_longest(p->hand_out) / (double)p->operations->duration;

	return fmax(fmax(most_miss_handed, p->copied_miss + most_miss_more), fmin(item, most_luck));
}

/* Whether the replay that hands out is about as good as the one that does not. */
static bool hands_out_well(const struct prediction *p)
{
	return p->base && !p->unchanged->stuck && !p->base->stuck &&
	       prediction_miss(p) <= most_handed_miss(p);
}

/*
 * Hands items out, or leaves them with the threads that had them: all replays are to do the same.
 * Other threads must.
 */
static void hand_out_choose(struct prediction *p, const struct changes *c)
{
	if (!p->hand_out || !hand_out_is_sure(p->hand_out))
		return;
	p->copied =
	    p->misses_handed && !team_is_changed(&c->team)
		? "with the items handed out, the unchanged replay misses the recorded run by more"
		: paces_refuse(c, p->model->trace);
	if (p->handed == (p->copied != NULL))
		unchanged_run(p, !p->copied);
}

/* How far the unchanged replays are off. */
static double unchanged_miss(const struct prediction *p)
{
	double recorded = (double)p->operations->duration;

	if (p->unchanged->stuck || !p->base || p->base->stuck)
		return INFINITY;
	return fmax(prediction_miss(p), (double)p->base->duration / recorded - 1);
}

/*
 * Replays without changes with waits for processors that are copied, or come about; or back. Most:
 * see unchanged_try().
 */
static void apart_switch(struct prediction *p, double most)
{
	p->other_readiness = model_set_readiness(p->model, p->other_readiness);
	p->apart = !p->apart;
	p->own = p->apart ? readiness_own(p->other_readiness) : 0;
	unchanged_try(p, p->handed, most);
}

/*
 * Copies waits for processors where that is better: the scheduler of a busy machine lets threads
 * and other programs run in an order that a queue does not have.
 */
static void apart_choose(struct prediction *p)
{
	static const double most_miss = 0.03;
	double miss = unchanged_miss(p);

	if (!p->cores || p->unchanged->stop || miss <= most_miss ||
	    prediction_others(p) < OTHERS_TOLD)
		return;
	p->other_readiness = readiness_apart(p->model->readiness);
	apart_switch(p, miss);
	if (unchanged_miss(p) < miss)
		return;
	apart_switch(p, INFINITY);
	readiness_free(p->other_readiness);
	p->other_readiness = NULL;
}

/*
 * Leaves the limits of waits out where the unchanged replay is better without them: a virtual
 * machine waits with limits of hours, and what else ends such waits is not always known.
 */
static void limits_choose(struct prediction *p)
{
	static const double most_miss = 0.03;
	size_t n = p->model->limits.n;
	double miss = unchanged_miss(p);

	if (!n || p->unchanged->stop || miss <= most_miss)
		return;
	model_set_limits(p->model, 0);
	unchanged_try(p, false, miss);
	if (unchanged_miss(p) < miss)
		return;
	model_set_limits(p->model, n);
	unchanged_run(p, false);
}

void prediction_announce(struct trace *t)
{
	graph_announce(t);
	tries_announce(t);
	processors_announce(t);
	deadlines_announce(t);
	hand_out_announce(t);
}

struct prediction *prediction_of(const struct instance_set *set, int64_t slice)
{
	struct prediction *p = array_zero(1, sizeof *p);

	p->model = model_of(set);
	p->earliest = early_holds_of(p->model);
	p->cores = p->model->cores;
	p->slice = slice;
	p->hand_out = hand_out_of(p->model);
	unchanged_run(p, false);
	apart_choose(p);
	limits_choose(p);
	p->copied_miss = prediction_miss(p);
	if (p->hand_out && hand_out_is_sure(p->hand_out)) {
		unchanged_try(p, true, most_handed_miss(p));
		p->misses_handed = !hands_out_well(p);
		hand_out_choose(p, &(struct changes){.only = NOT_CHANGED});
	}
	return p;
}

void prediction_set_open(struct prediction *p, const bool *open)
{
	p->open = open;
	unchanged_run(p, p->handed);
}

static void chosen_drop(struct prediction *p)
{
	if (p->chosen)
		span_choice_free(p->chosen);
	if (p->earlier)
		span_choice_free(p->earlier);
	if (p->fits)
		fits_free(p->fits);
	if (p->devices)
		devices_free(p->devices);
	free(p->refusal);
	p->chosen = p->earlier = NULL;
	p->fits = NULL;
	p->devices = NULL;
	p->refusal = NULL;
}

static bool has_fits(const struct changes *c)
{
	for (unsigned i = 0; i < c->nspans; i++)
		if (c->spans[i].kind >= SPAN_TIME && c->spans[i].length.kind == DISTRIBUTION_FIT)
			return true;
	return false;
}

/* Returns false if there is no line through what was recorded. */
static bool fits_find(struct prediction *p, const struct changes *c)
{
	double *lengths = span_lengths(p->model, p->chosen);

	p->fits = fits_of(p->model, p->chosen, c->spans, lengths, &p->refusal);
	free(lengths);
	return p->fits != NULL;
}

static bool has_devices(const struct changes *c)
{
	for (unsigned i = 0; i < c->nspans; i++)
		if (c->spans[i].kind == SPAN_IO && device_is_given(&c->spans[i].device))
			return true;
	return false;
}

bool prediction_choose(struct prediction *p, const struct changes *c, const char **unknown)
{
	chosen_drop(p);
	p->chosen = span_choice_of(p->model->set, c->spans, c->nspans, unknown);
	if (!p->chosen)
		return false;
	*unknown = NULL;
	if (p->earliest && !has_fits(c))
		p->earlier = span_choice_earlier(p->chosen, p->model, p->earliest);
	if (has_devices(c) &&
	    !(p->devices = devices_of(p->model, p->chosen, c->spans, &p->refusal)))
		return false;
	return !has_fits(c) || fits_find(p, c);
}

struct replay *prediction_replay_recorded(struct prediction *p, struct operations **operations)
{
	struct machine machine = unchanged_machine(p);

	machine.forgets = false;
	*operations =
	    operations_of(p->model, &(struct operation_rules){.timed = true, .open = p->open});
	return replay_run(*operations, &machine);
}

/* ---- one changed replay ---- */

static bool is_drawn(const struct changes *c)
{
	for (unsigned i = 0; i < c->nspans; i++)
		if (c->spans[i].kind >= SPAN_TIME &&
		    c->spans[i].length.kind != DISTRIBUTION_CONSTANT &&
		    (c->only == NOT_CHANGED || c->only == i))
			return true;
	return false;
}

/* NULL: nothing runs faster or slower. */
static struct speeds *changed_speeds(const struct prediction *p, const struct changes *c,
				     uint64_t seed)
{
	struct speed_rules rules = {.multiply = c->multiply,
				    .seed = seed,
				    .only = c->only,
				    .fits = p->fits,
				    .devices = p->devices};

	return c->nspans ? speeds_of(p->model, p->chosen, c->spans, &rules) : NULL;
}

/* Other threads, other shares of them. Sets the refusal if that is not possible. */
static void team_arrange(struct prediction *p, struct operations *o, const struct changes *c)
{
	if (p->handed)
		paces_set(o, p->model, p->hand_out, c);
	if (!team_is_changed(&c->team))
		return;
	free(p->refusal);
	p->refusal =
	    team_change(o, p->model, &(struct team_items){p->hand_out, p->copied}, &c->team);
	o->times.n = 0; /* nobody recorded these operations */
}

/* Unknown facts that a changed replay assumes. */
struct assumed {
	enum woken_rule woken;
	enum apart_overlap overlap;
};

/* Whether it is asked when the changed replay came to single operations. */
static bool keeps_times(const struct changes *c)
{
	return c->written || c->next || c->moments;
}

/* Whether samples alone tell where a change is. */
static bool is_sampled(const struct prediction *p, const struct changes *c)
{
	return p->chosen->sampled & (c->only == NOT_CHANGED ? UINT64_MAX : UINT64_C(1) << c->only);
}

static struct operations *changed_operations(struct prediction *p, const struct changes *c,
					     const struct lock_plan *locks, uint64_t seed,
					     struct assumed assumed, struct operations *spent)
{
	struct speeds *speeds = changed_speeds(p, c, seed);
	struct operations *o;

	p->sampling = (struct effect_range){1, 1};
	if (speeds && is_sampled(p, c))
		p->sampling = sampling_error(p->model->set->samples, speeds);
	o = operations_of(p->model,
			  &(struct operation_rules){.speeds = speeds,
						    .locks = locks,
						    .without_cost = true,
						    .device = c->served && !p->devices,
						    .devices = p->devices,
						    .timed = keeps_times(c),
						    .hand_out = p->handed ? p->hand_out : NULL,
						    .woken = assumed.woken,
						    .overlap = assumed.overlap,
						    .open = p->open,
						    .spent = spent});

	team_arrange(p, o, c);
	if (speeds)
		speeds_free(speeds);
	return o;
}

static void changed_drop(struct prediction *p)
{
	if (p->changed_operations)
		operations_free(p->changed_operations);
	if (p->changed)
		replay_free(p->changed);
	p->changed_operations = NULL;
	p->changed = NULL;
}

static struct machine changed_machine(const struct prediction *p, const struct changes *c,
				      const struct lock_plan *locks)
{
	struct machine machine = recorded_machine(p, c->slice);

	if (c->cores_given && c->cores != p->cores) {
		machine.cores = c->cores;
		machine.placed = false; /* on other processors where threads ran says nothing */
	}
	machine.locks = locks->disciplines;
	machine.served = c->served || !p->devices ? c->served : 1;
	machine.states = c->written;
	machine.forgets = !keeps_times(c);
	machine.shows = !c->one_of_many;
	return machine;
}

/* Returns by lock of the model whether nobody holds it any more. */
static bool *gone_of(const struct prediction *p, const struct lock_plan *locks)
{
	size_t n = p->model->locks->locks.n;
	bool *gone = array_new(n, sizeof *gone);

	for (size_t i = 0; i < n; i++)
		gone[i] = locks->disciplines[i] == DISCIPLINE_NONE;
	return gone;
}

static void changed_run(struct prediction *p, const struct changes *c,
			const struct lock_plan *locks, uint64_t seed)
{
	struct machine machine = changed_machine(p, c, locks);
	struct operations *changed =
	    changed_operations(p, c, locks, seed, (struct assumed){WOKEN_BETWEEN, OVERLAP_NONE},
			       p->changed_operations ? p->changed_operations : p->base_operations);

	changed_drop(p);
	p->changed_cores = machine.cores;
	p->seed = seed;
	p->changed_operations = changed;
	p->changed = replay_run(p->changed_operations, &machine);
}

/* ---- several of them ---- */

static uint64_t seed_of(const struct changes *c, unsigned replay)
{
	return hash_mix((c->seed ? c->seed : DEFAULT_SEED) * 0x9e3779b97f4a7c15 + replay);
}

struct drawn {
	int64_t duration;
	unsigned number;
};

static int by_duration(const void *a, const void *b)
{
	const struct drawn *x = a, *y = b;

	return (x->duration > y->duration) - (x->duration < y->duration);
}

/* Leaves the replay whose time is the median, or one that was stopped. */
static void all_run(struct prediction *p, const struct changes *c, const struct lock_plan *locks)
{
	unsigned n = !is_drawn(c) ? 1 : c->replays ? c->replays : DEFAULT_REPLAYS, middle;
	struct drawn *all = array_new(n, sizeof *all);

	p->durations.n = 0;
	for (unsigned i = 0; i < n; i++) {
		changed_run(p, c, locks, seed_of(c, i));
		if (p->changed->stop) {
			free(all);
			return;
		}
		if (n > 1)
			replay_watched(&p->watch, p->changed_operations, p->changed);
		all[i] = (struct drawn){p->changed->duration, i};
	}
	middle = n - 1;
	qsort(all, n, sizeof *all, by_duration);
	for (unsigned i = 0; i < n; i++)
		*vector_add(&p->durations) = all[i].duration;
	if (all[n / 2].number != middle)
		changed_run(p, c, locks, seed_of(c, all[n / 2].number));
	free(all);
}

/* Where lengths are drawn anyway, those replays say how far it may be off. */
static struct error_part lengths_part(struct prediction *p, const struct changes *c,
				      const struct lock_plan *locks, unsigned *replays)
{
	struct machine machine = changed_machine(p, c, locks);
	double predicted = (double)p->changed->duration;
	struct error_part e;

	*replays = (unsigned)p->durations.n;
	if (*replays > 1)
		return durations_error(p->durations.at, p->durations.n, p->changed->duration);
	if (c->one_of_many && p->lengths_known) {
		*replays = p->interval.replays;
		return (struct error_part){p->lengths.less * predicted,
					   p->lengths.more * predicted};
	}
	*replays = c->replays ? c->replays : DEFAULT_REPLAYS;
	e = lengths_error(p->model, p->changed_operations, &machine, p->changed->duration,
			  seed_of(c, 0), &p->watch, replays);
	p->lengths_known = predicted > 0;
	if (predicted > 0)
		p->lengths = (struct error_part){e.less / predicted, e.more / predicted};
	return e;
}

/* Replays the changes with other assumptions. Returns the time, or -1. */
static int64_t assumed_run(struct prediction *p, const struct changes *c,
			   const struct lock_plan *locks, struct assumed assumed)
{
	struct effect_range sampling = p->sampling;
	struct machine machine = changed_machine(p, c, locks);
	struct operations *o = changed_operations(p, c, locks, p->seed, assumed, NULL);
	struct replay *r;
	int64_t duration;

	machine.states = false;
	machine.forgets = true;
	r = replay_run(o, &machine);
	duration = r->stuck ? -1 : r->duration;
	replay_free(r);
	operations_free(o);
	p->sampling = sampling;
	return duration;
}

/*
 * Where waits for processors are copied, threads that compute less do not let the others wait less.
 */
static void own_part(const struct prediction *p, struct error_part *e)
{
	double gain = p->own * (double)(p->base->duration - p->changed->duration);

	e->less = fmax(0, gain);
	e->more = fmax(0, -gain);
}

/* What woken threads waited for processors of other programs may follow their computing, or not. */
static struct error_part others_part(struct prediction *p, const struct changes *c,
				     const struct lock_plan *locks)
{
	static const double little = 0.01; /* of the run */
	struct error_part e = {0, 0};
	double predicted = (double)p->changed->duration;

	if (p->apart) /* what the program leaves free, its threads have in part */
		own_part(p, &e);
	if (!c->nspans || team_is_changed(&c->team) ||
	    (double)p->operations->others.woken <= little * (double)p->base->duration)
		return e;
	for (enum woken_rule rule = WOKEN_STAYS; rule <= WOKEN_FOLLOWS; rule++) {
		int64_t duration = assumed_run(p, c, locks, (struct assumed){rule, OVERLAP_NONE});

		if (duration < 0)
			continue;
		e.less = fmax(e.less, predicted - (double)duration);
		e.more = fmax(e.more, (double)duration - predicted);
	}
	return e;
}

/* Whether the changed run has so many of these waits that the output reports them. */
static bool has_apart(const struct prediction *p, bool guessed)
{
	static const double little = 0.01; /* of the run */
	const struct apart_waits *a = p->changed_operations->apart;
	int64_t time = a[APART_DEVICE].time + a[APART_UNKNOWN].time;

	if (!guessed)
		time += a[APART_OBJECT].time;
	return (double)time > little * (double)p->base->duration;
}

/*
 * Waits that are guessed to stay one after the other may overlap: then the end of the range is as
 * far below that replay as it is below the prediction.
 */
static void overlapping_find(struct prediction *p, const struct changes *c,
			     const struct lock_plan *locks)
{
	bool guessed = has_apart(p, true);
	struct assumed assumed = {WOKEN_BETWEEN, guessed ? OVERLAP_GUESSED : OVERLAP_ALL};

	if (p->changed->stuck || !has_apart(p, false))
		return;
	p->overlapping = assumed_run(p, c, locks, assumed);
	p->guessed = guessed;
	if (guessed && p->overlapping >= 0 && p->overlapping < p->changed->duration)
		p->low = sooner(p->low, (int64_t)((double)p->low * (double)p->overlapping /
						  (double)p->changed->duration));
}

/*
 * Locks may have been held for longer than the trace says. The range is that of both: the end is as
 * far from that replay as it is from the prediction.
 */
static void earlier_find(struct prediction *p, const struct changes *c,
			 const struct lock_plan *locks)
{
	static const double little = 0.01; /* of the run */
	struct span_choice *chosen = p->chosen;
	double factor;

	if (p->changed->stuck || !p->earlier)
		return;
	p->chosen = p->earlier;
	p->held_earlier = assumed_run(p, c, locks, (struct assumed){WOKEN_BETWEEN, OVERLAP_NONE});
	p->chosen = chosen;
	if (p->held_earlier < 0 || !p->changed->duration)
		return;
	factor = (double)p->held_earlier / (double)p->changed->duration;
	p->low = sooner(p->low, (int64_t)((double)p->low * factor));
	if (factor > 1)
		p->high = (int64_t)((double)p->high * factor);
	if (fabs((double)(p->held_earlier - p->changed->duration)) <
	    little * (double)p->base->duration)
		p->held_earlier = -1;
}

/* How far the time may be off because of who gets which processor. */
static struct error_part placed_part(struct prediction *p, const struct changes *c,
				     const struct lock_plan *locks)
{
	struct machine machine = changed_machine(p, c, locks);
	double predicted = (double)p->changed->duration;
	struct placements changed;
	struct error_part e;

	if (c->one_of_many && p->lengths_known)
		return (struct error_part){p->placed.less * predicted, p->placed.more * predicted};
	changed = placements_of(p->changed_operations, &machine, p->changed);
	e = placements_error(&unchanged_now(p)->placements, p->base->duration, &changed,
			     p->changed->duration);
	if (predicted > 0)
		p->placed = (struct error_part){e.less / predicted, e.more / predicted};
	return e;
}

static void range_find(struct prediction *p, const struct changes *c, const struct lock_plan *locks)
{
	struct interval_basis basis = {.recorded = p->operations->duration,
				       .unchanged = p->unchanged->duration,
				       .base = p->base,
				       .changed = p->changed,
				       .sampling = p->sampling,
				       .sampled_states = trace_has_sampled_states(p->model->trace),
				       .guessed = guessed_waits_matter(p->model->graph)};

	if (!p->changed->stuck)
		basis.placed = placed_part(p, c, locks);
	if (!p->changed->stuck)
		basis.lengths = lengths_part(p, c, locks, &basis.replays);
	if (!p->changed->stuck)
		basis.others = others_part(p, c, locks);
	p->interval = error_interval_of(&basis);
	p->low = p->interval.low;
	p->high = p->interval.high;
	overlapping_find(p, c, locks);
	earlier_find(p, c, locks);
}

static void range_leave(struct prediction *p)
{
	p->interval = (struct error_interval){.replays = p->interval.replays};
	p->low = p->high = p->changed->duration;
}

/*
 * Which threads share processors comes about in replays on other processors, or with other threads.
 * Returns false if it cannot: many predictions have the same unchanged replay.
 */
static bool apart_suit(struct prediction *p, const struct changes *c)
{
	bool shares = (c->cores_given && c->cores != p->cores) || team_is_changed(&c->team);

	if (!p->other_readiness || p->apart != shares)
		return true;
	if (!c->one_of_many)
		apart_switch(p, INFINITY);
	return !c->one_of_many;
}

/* Whether a change of who gets locks next is about holds whose begin is often not known. */
static bool order_is_unseen(const struct prediction *p, const struct changes *c)
{
	static const double many = 0.1;
	const struct model *m = p->model;
	size_t holds = 0, unseen = 0;

	for (unsigned k = 0; k < c->nlocks && p->earliest; k++) {
		const struct lock_change *lock = &c->locks[k];

		for (size_t i = 0; i < m->holds.n && lock->discipline != DISCIPLINE_NONE; i++) {
			const struct model_hold *h = &m->holds.at[i];

			if (!lock_change_is_about(lock, m->trace, &m->locks->locks.at[h->lock]))
				continue;
			holds++;
			unseen += p->earliest[i] < h->start;
		}
	}
	return (double)unseen > many * (double)holds;
}

bool prediction_change(struct prediction *p, const struct changes *c, const char **unknown)
{
	struct lock_plan *locks;
	bool suits = apart_suit(p, c);

	free(p->refusal);
	locks =
	    lock_plan_of(p->model, &(struct lock_changes){c->locks, c->nlocks, c->slots, c->nslots},
			 unknown, &p->refusal);
	if (!locks)
		return false;
	free(p->gone);
	p->gone = gone_of(p, locks);
	hand_out_choose(p, c);
	all_run(p, c, locks);
	p->overlapping = p->held_earlier = -1;
	p->order_unseen = order_is_unseen(p, c);
	if (c->no_range)
		range_leave(p);
	else
		range_find(p, c, locks);
	p->order = change_order_of(c, p->cores);
	lock_plan_free(locks);
	if (!suits && !p->refusal)
		p->refusal = text_format(
		    "beside other programs, which threads would share processors is not known");
	return !p->refusal;
}

/* ---- more changes ---- */

struct further_run further_begin(const struct prediction *p)
{
	return (struct further_run){.operations = p->changed_operations,
				    .replay = p->changed,
				    .gone = p->gone,
				    .low = p->low,
				    .high = p->high};
}

static struct lock_plan *further_locks(struct further_run *f, const struct prediction *p,
				       const struct changes *c, const struct lock_change *lock)
{
	struct lock_plan *plan;
	const char *unknown;
	char *refusal = NULL;

	for (unsigned i = 0; i < c->nlocks && !f->added; i++)
		*vector_add(&f->locks) = c->locks[i];
	if (lock)
		*vector_add(&f->locks) = *lock;
	plan = lock_plan_of(
	    p->model,
	    &(struct lock_changes){f->locks.at, (unsigned)f->locks.n, c->slots, c->nslots},
	    &unknown, &refusal);
	free(refusal);
	return plan;
}

/* Returns false if the change is about nothing. */
static bool further_span(struct further_run *f, const struct prediction *p,
			 const struct span_change *span)
{
	const char *unknown;
	struct span_choice *chosen = span_choice_of(p->model->set, span, 1, &unknown);
	struct speeds *own, *others = f->speeds;

	if (!chosen)
		return false;
	own = speeds_of(p->model, chosen, span, &(struct speed_rules){.only = NOT_CHANGED});
	f->sampled |= chosen->sampled != 0;
	span_choice_free(chosen);
	f->speeds = others ? speeds_product(own, others, p->model->trace->nthreads) : own;
	if (others) {
		speeds_free(own);
		speeds_free(others);
	}
	return true;
}

void further_times_forget(struct further_run *f)
{
	free(f->replay->begun);
	free(f->replay->done);
	free(f->replay->wakers);
	f->replay->begun = f->replay->done = NULL;
	f->replay->wakers = NULL;
}

/* Frees the last run, if it is not the prediction's. */
static void further_drop(struct further_run *f)
{
	if (!f->added)
		return;
	operations_free(f->operations);
	replay_free(f->replay);
	free(f->gone);
}

/* forgets: nothing is kept of single operations. */
static void further_replay(struct further_run *f, struct prediction *p, const struct changes *c,
			   const struct lock_plan *locks, bool last, bool forgets)
{
	struct machine machine;
	struct changes all = *c;
	struct operations *o;
	struct replay *r;

	all.cores_given |= f->unlimited;
	all.cores = f->unlimited ? 0 : c->cores;
	machine = changed_machine(p, &all, locks);
	machine.states = false;
	machine.forgets = forgets;
	/* their memory may be as large as all else */
	free(f->operations->times.at);
	f->operations->times.at = NULL;
	f->operations->times.n = 0;
	further_times_forget(f);
	o = operations_of(p->model,
			  &(struct operation_rules){.speeds = f->speeds,
						    .locks = locks,
						    .without_cost = true,
						    .device = c->served && !p->devices,
						    .devices = p->devices,
						    .timed = !last,
						    .hand_out = p->handed ? p->hand_out : NULL,
						    .open = p->open,
						    .spent = f->operations});
	team_arrange(p, o, c);
	r = replay_run(o, &machine);
	further_drop(f);
	f->operations = o;
	f->replay = r;
	f->gone = gone_of(p, locks);
	f->added = true;
}

static struct error_part part_times(struct error_part e, double factor)
{
	return (struct error_part){e.less * factor, e.more * factor};
}

/* Lengths, and waits for other programs, are as uncertain as those of the changed run. */
static void further_range(struct further_run *f, const struct prediction *p)
{
	double changed = (double)p->changed->duration;
	double factor = changed > 0 ? (double)f->replay->duration / changed : 1;
	const struct error_part *parts = p->interval.parts;
	struct interval_basis basis = {.recorded = p->operations->duration,
				       .unchanged = p->unchanged->duration,
				       .base = p->base,
				       .changed = f->replay,
				       .sampling = {1, 1},
				       .lengths = part_times(parts[ERROR_LENGTHS], factor),
				       .others = part_times(parts[ERROR_OTHERS], factor),
				       .sampled_states = trace_has_sampled_states(p->model->trace),
				       .guessed = guessed_waits_matter(p->model->graph)};
	struct error_interval in;

	if (f->sampled)
		basis.sampling = sampling_error(p->model->set->samples, f->speeds);
	in = error_interval_of(&basis);
	f->low = in.low;
	f->high = in.high;
}

bool further_add(struct further_run *f, struct prediction *p, const struct changes *c,
		 const struct further_change *change, bool last)
{
	struct lock_plan *locks = further_locks(f, p, c, change->lock);
	bool good = locks != NULL;

	if (!f->added) {
		f->speeds = changed_speeds(p, c, p->seed);
		f->sampled = f->speeds && is_sampled(p, c);
	}
	f->unlimited |= change->unlimited;
	if (good && change->span)
		good = further_span(f, p, change->span);
	if (good) {
		further_replay(f, p, c, locks, last, last && !change->lock);
		good = !f->replay->stuck;
	}
	if (good)
		further_range(f, p);
	if (locks)
		lock_plan_free(locks);
	return good;
}

void further_free(struct further_run *f)
{
	further_drop(f);
	if (f->speeds)
		speeds_free(f->speeds);
	free(f->locks.at);
}

/* ---- all ---- */

double prediction_others(const struct prediction *p)
{
	const struct others_time *t = &p->operations->others;
	double lost = (double)(t->lost + t->woken), all = t->running + lost;

	return all > 0 ? lost * (1 - p->own) / all : 0;
}

uint64_t prediction_steps(const struct prediction *p)
{
	uint64_t operations = p->changed_operations ? p->changed_operations->all.n : p->base_count;
	uint64_t events = p->model->trace->events;

	return operations > events / 2 ? operations : events / 2;
}

double prediction_miss(const struct prediction *p)
{
	double recorded = (double)p->operations->duration;

	return recorded ? fabs((double)p->unchanged->duration - recorded) / recorded : 0;
}

int64_t prediction_unknown(const struct prediction *p)
{
	int64_t base = p->base->unknown, changed = p->changed ? p->changed->unknown : 0;

	return changed > base ? changed : base;
}

bool prediction_is_unknown(const struct prediction *p)
{
	return unknown_decides(prediction_unknown(p), p->base->duration);
}

bool prediction_contradicts(const struct prediction *p)
{
	if (p->order == CHANGE_SHORTENS)
		return p->low > p->base->duration;
	return p->order == CHANGE_LENGTHENS && p->high < p->base->duration;
}

bool prediction_is_unseen(const struct prediction *p)
{
	static const double little = 0.01; /* of the run */
	double base = (double)p->base->duration, seen = (double)p->changed->duration;
	double earlier = (double)p->held_earlier;

	if (p->order_unseen)
		return true;
	return p->held_earlier >= 0 && fmin(seen, earlier) < (1 - little) * base &&
	       fmax(seen, earlier) > (1 + little) * base;
}

bool prediction_has_states(const struct prediction *p)
{
	return instance_set_has_states(p->model->set);
}

void prediction_changed_free(struct prediction *p)
{
	changed_drop(p);
	chosen_drop(p);
	free(p->durations.at);
	free(p->gone);
}

static void unchanged_free(struct unchanged_replays *u)
{
	operations_free(u->operations);
	replay_free(u->unchanged);
	if (u->base)
		replay_free(u->base);
}

void prediction_free(struct prediction *p)
{
	prediction_changed_free(p);
	for (size_t i = 0; i < p->all_unchanged.n; i++)
		unchanged_free(&p->all_unchanged.at[i]);
	free(p->all_unchanged.at);
	operations_free(p->base_operations);
	if (p->hand_out)
		hand_out_free(p->hand_out);
	if (p->other_readiness)
		readiness_free(p->other_readiness);
	free(p->earliest);
	model_free(p->model);
	free(p);
}
