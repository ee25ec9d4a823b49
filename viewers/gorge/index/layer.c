#include "viewers/gorge/index/layer.h"
#include "trace/symbols/event_stacks.h"
#include <stdlib.h>
#include <string.h>

static const char *const names[ALL_LAYERS] = {"own",   "states",   "waits",
					      "locks", "wake-ups", "events"};

const char *layer_name(enum layer layer)
{
	return names[layer];
}

bool layers_read(const char *list, unsigned *bits)
{
	*bits = list ? 0 : 1U << LAYER_OWN | 1U << LAYER_STATES | 1U << LAYER_WAITS;
	for (const char *at = list; at && *at; at += *at == ',') {
		unsigned layer = 0;
		size_t n = strcspn(at, ",");

		while (layer < ALL_LAYERS &&
		       (strlen(names[layer]) != n || strncmp(at, names[layer], n) != 0))
			layer++;
		if (n == 3 && !strncmp(at, "all", n))
			*bits = (1U << ALL_LAYERS) - 1;
		else if (layer < ALL_LAYERS)
			*bits |= 1U << layer;
		else if (n && (n != 4 || strncmp(at, "none", n) != 0))
			return false;
		at += n;
	}
	return true;
}

enum layer layer_of(const struct interval *interval)
{
	switch (interval->kind) {
	case KIND_STATE:
	case KIND_LIFE:
		return LAYER_STATES;
	case KIND_WAIT:
	case KIND_IO:
		return LAYER_WAITS;
	case KIND_HOLD:
		return LAYER_LOCKS;
	case KIND_CAUSE:
		return LAYER_WAKEUPS;
	case KIND_NONE:
	case KIND_WORK:
	case KIND_CALL:
	case KIND_PHASE:
	case KIND_SPIN:
		break;
	}
	return LAYER_OWN;
}

/* ---- waits ---- */

/*
 * Returns the name of what a wait or hold is about; without an object, what the interval is called.
 */
static const char *subject_of(const struct role *r)
{
	if (r->start.object >= 0)
		return r->start.event->attributes[r->start.object].name;
	return style_label(&r->interval->style, r->interval->name);
}

/*
 * Whether threads hold what the wait is for: a hold is about the same, or it is a lock by its name.
 */
static bool waits_for_holder(const struct spec *spec, const struct role *wait)
{
	unsigned n;
	struct role *holds = roles_of_kind(spec, KIND_HOLD, &n);
	bool held = wait->start.object >= 0 && !strcmp(subject_of(wait), NAME_LOCK);

	for (unsigned i = 0; i < n && !held; i++)
		held = (holds[i].start.object < 0) == (wait->start.object < 0) &&
		       !strcmp(subject_of(&holds[i]), subject_of(wait));
	free(holds);
	return held;
}

const struct interval *end_cause_of(const struct spec *spec, const struct role *wait)
{
	unsigned nlives, ncauses;
	struct role *lives = roles_of_threads(spec, &nlives);
	struct role *causes = roles_of_kind(spec, KIND_CAUSE, &ncauses);
	const struct interval *found = NULL;

	for (unsigned i = 0; i < ncauses && !found; i++)
		for (unsigned k = 0; k < nlives && !found; k++)
			if (causes[i].end.event == wait->end.event &&
			    causes[i].start.event == lives[k].end.event)
				found = causes[i].interval;
	free(lives);
	free(causes);
	return found;
}

enum wait_class wait_class_of(const struct spec *spec, const struct interval *interval)
{
	struct role role;

	if (layer_of(interval) != LAYER_WAITS)
		return WAIT_NONE;
	role = role_of(interval);
	if (interval->kind == KIND_IO || interval->until)
		return WAIT_REST;
	if (waits_for_holder(spec, &role))
		return WAIT_HELD;
	return end_cause_of(spec, &role) ? WAIT_REST : WAIT_WORK;
}

bool is_handover(const struct spec *spec, const struct interval *interval)
{
	struct role cause;

	if (interval->kind != KIND_CAUSE || interval->anchor.interval || interval->partner.interval)
		return false;
	cause = role_of(interval);
	/* only its stack says what such a wake-up is about: most are of no lock */
	if (event_has_stack_and_code(cause.start.event))
		return false;
	/* the class takes longest to tell, and is asked for last */
	for (unsigned i = 0; i < spec->nintervals; i++)
		if (layer_of(spec->intervals[i]) == LAYER_WAITS &&
		    role_of(spec->intervals[i]).end.event == cause.end.event &&
		    wait_class_of(spec, spec->intervals[i]) == WAIT_HELD)
			return true;
	return false;
}

/* ---- what is shown at first ---- */

static bool has_connection(const struct spec *spec)
{
	for (unsigned i = 0; i < spec->nintervals; i++)
		if (spec->intervals[i]->connection != CONNECTION_NONE)
			return true;
	return false;
}

static bool has_symbol(const struct spec *spec)
{
	for (unsigned i = 0; i < spec->nevents; i++)
		if (spec->events[i]->symbol != SYMBOL_NONE)
			return true;
	return false;
}

/* Whether an interval begins or ends with the event. */
static bool is_end(const struct spec *spec, const struct event_type *e)
{
	for (unsigned i = 0; i < spec->nintervals; i++)
		if (end_event(&spec->intervals[i]->anchor) == e ||
		    end_event(&spec->intervals[i]->partner) == e)
			return true;
	return false;
}

bool layers_show_event(const struct trace *t, unsigned layers, const struct event_type *e)
{
	bool states = trace_has_states(t);

	if (e->symbol == SYMBOL_NONE && (has_symbol(t->spec) || has_connection(t->spec)))
		return false;
	if (states && layers_have(layers, LAYER_EVENTS))
		return true;
	if (e->style.shown != SHOWN_UNSAID || !states)
		return e->style.shown != SHOWN_NO;
	return layers_have(layers, LAYER_OWN) && !is_end(t->spec, e);
}

bool layers_show_interval(const struct trace *t, unsigned layers, const struct interval *interval)
{
	if (interval->connection == CONNECTION_NONE && has_connection(t->spec))
		return false;
	if (interval->style.shown != SHOWN_UNSAID || !trace_has_states(t))
		return interval->style.shown != SHOWN_NO;
	if (interval->kind == KIND_LIFE && role_of(interval).same_thread)
		return false;
	return layers_have(layers, layer_of(interval)) ||
	       (layers_have(layers, LAYER_WAITS) && is_handover(t->spec, interval));
}
