#include "analysis/activity/roles.h"
#include "base/array.h"
#include "trace/symbols/stack_sites.h"
#include <string.h>

static const char *const state_names[NSTATES] = {NULL, "running", "ready", "blocked"};

const char *thread_state_name(enum thread_state state)
{
	return state_names[state];
}

static enum thread_state state_of(const struct interval *interval)
{
	const char *label = interval->style.label;

	for (enum thread_state s = STATE_RUNNING; label && s < NSTATES; s++)
		if (strcmp(label, state_names[s]) == 0)
			return s;
	return STATE_OTHER;
}

static struct role_end event_look(const struct event_type *event, enum side side)
{
	struct role_end r = {.event = event, .side = side, .object = -1, .code = {-1, -1}};
	unsigned ncode = 0;

	for (unsigned i = 0; i < r.event->nattributes; i++) {
		enum type type = r.event->attributes[i].type;

		if (type == TYPE_OBJECT && r.object < 0)
			r.object = (int)i;
		else if ((type == TYPE_CODE || type == TYPE_CODE32) && ncode < 2)
			r.code[ncode++] = (int)i;
	}
	return r;
}

struct role_end role_end_of(const struct event_type *event, int object)
{
	struct role_end r = event_look(event, SIDE_ANCHOR);

	r.object = object;
	return r;
}

static bool is_pair(const struct expr *e, enum expr_op op)
{
	return e->left->op == op && e->right->op == op && e->left->side != e->right->side;
}

static bool is_object(const struct expr *attribute)
{
	return attribute->event->attributes[attribute->attribute].type == TYPE_OBJECT;
}

/* The first equality of objects is what counts: it is looked at last. */
static void condition_look(struct role *r, const struct expr *e)
{
	if (e->op == EXPR_AND) {
		condition_look(r, e->right);
		condition_look(r, e->left);
	} else if (e->op == EXPR_EQ && is_pair(e, EXPR_THREAD)) {
		r->same_thread = true;
	} else if (e->op == EXPR_EQ && is_pair(e, EXPR_ATTRIBUTE) && is_object(e->left) &&
		   is_object(e->right)) {
		const struct expr *start = e->left->side == r->start.side ? e->left : e->right;

		r->start.object = (int)start->attribute;
		r->end.object = (int)(start == e->left ? e->right : e->left)->attribute;
	}
}

struct role role_of(const struct interval *interval)
{
	struct role r = {.interval = interval, .kind = interval->kind, .state = state_of(interval)};
	struct role_end anchor = event_look(end_event(&interval->anchor), SIDE_ANCHOR);
	struct role_end partner = event_look(end_event(&interval->partner), SIDE_PARTNER);

	r.start = interval->direction == FORWARDS ? anchor : partner;
	r.end = interval->direction == FORWARDS ? partner : anchor;
	condition_look(&r, interval->condition);
	return r;
}

struct role role_of_samples(const struct interval *calls)
{
	struct role r = {
	    .interval = calls, .kind = KIND_CALL, .state = STATE_OTHER, .same_thread = true};

	r.start = event_look(calls->anchor.event, SIDE_ANCHOR);
	r.end = event_look(calls->partner.event, SIDE_PARTNER);
	r.start.object = r.end.object = r.start.code[1] = -1;
	return r;
}

struct role *roles_of_kind(const struct spec *spec, enum interval_kind kind, unsigned *n)
{
	struct role *roles = array_zero(spec->nintervals + 1, sizeof *roles);

	*n = 0;
	for (unsigned i = 0; i < spec->nintervals; i++) {
		const struct interval *interval = spec->intervals[i];

		if (interval->kind == kind && !interval->anchor.interval &&
		    !interval->partner.interval)
			roles[(*n)++] = role_of(interval);
	}
	return roles;
}

struct role *roles_of_threads(const struct spec *spec, unsigned *n)
{
	unsigned all;
	struct role *lives = roles_of_kind(spec, KIND_LIFE, &all);

	*n = 0;
	for (unsigned i = 0; i < all; i++)
		if (role_is_threads_life(&lives[i]))
			lives[(*n)++] = lives[i];
	return lives;
}

bool role_is_threads_life(const struct role *r)
{
	return r->kind == KIND_LIFE && r->same_thread;
}

bool role_takes_time(const struct role *r)
{
	return r->kind != KIND_NONE || r->interval->connection != CONNECTION_LINE;
}

bool role_may_hold_nothing(const struct role *r)
{
	return r->kind == KIND_HOLD && event_has_stack_and_code(r->start.event);
}

int role_processor(const struct role *r)
{
	for (unsigned i = 0; r->kind == KIND_STATE && i < r->interval->nmetrics; i++) {
		const struct metric *m = &r->interval->metrics[i];

		if (strcmp(m->name, "processor") == 0 && m->value->op == EXPR_ATTRIBUTE &&
		    m->value->side == r->start.side)
			return (int)m->value->attribute;
	}
	return -1;
}

/* sampled: only states that are. */
static bool has_states(const struct trace *t, bool sampled)
{
	for (unsigned i = 0; i < t->spec->nintervals; i++) {
		const struct interval *n = t->spec->intervals[i];

		if (n->kind == KIND_STATE && (n->sampled || !sampled) && !n->anchor.interval &&
		    role_of(n).state != STATE_OTHER && t->events_of_type[n->anchor.event->index])
			return true;
	}
	return false;
}

bool trace_has_states(const struct trace *t)
{
	return has_states(t, false);
}

bool trace_has_sampled_states(const struct trace *t)
{
	return has_states(t, true);
}
