/*
 * Finds the layers of a picture: groups of events and intervals, by their kinds, which are shown or
 * hidden together; and what threads wait for, which says how a wait looks.
 */
#ifndef GLIMPSE_GORGE_INDEX_LAYER_H
#define GLIMPSE_GORGE_INDEX_LAYER_H

#include "analysis/activity/roles.h"

enum layer {
	LAYER_OWN, /* what the program says of itself: work, calls, what has no kind */
	LAYER_STATES,
	LAYER_WAITS,   /* also input and output */
	LAYER_LOCKS,   /* who holds what */
	LAYER_WAKEUPS, /* who lets whom go on */
	LAYER_EVENTS,  /* symbols */
	ALL_LAYERS
};

/* "own", "states", "waits", "locks", "wake-ups", "events". */
const char *layer_name(enum layer layer);
/*
 * Reads a list of layers, "all" or "none", as bits; NULL: the usual ones. Returns false if there is
 * another word.
 */
bool layers_read(const char *list, unsigned *bits);
static inline bool layers_have(unsigned bits, enum layer layer)
{
	return bits >> layer & 1;
}

/* Returns the layer of an interval. */
enum layer layer_of(const struct interval *interval);

/* What a wait is for. */
enum wait_class {
	WAIT_NONE, /* it is no wait */
	WAIT_HELD, /* for what another thread holds */
	WAIT_WORK, /* for what another thread does */
	WAIT_REST, /* for a time, a device, another program, the end of a thread */
};
enum wait_class wait_class_of(const struct spec *spec, const struct interval *interval);
/* Returns the cause by which the end of a thread ends such a wait; NULL: there is none. */
const struct interval *end_cause_of(const struct spec *spec, const struct role *wait);
/* Whether a cause ends waits for what another thread held: it hands that over. */
bool is_handover(const struct spec *spec, const struct interval *interval);

/*
 * Whether an event or an interval is shown where nothing says which are: those with a symbol or a
 * connection, but if none has one, all. In a trace with states the layers (bits) count, and an
 * event that begins or ends an interval is not shown beside it. A style "shown" says otherwise.
 */
bool layers_show_event(const struct trace *t, unsigned layers, const struct event_type *e);
bool layers_show_interval(const struct trace *t, unsigned layers, const struct interval *interval);

#endif
