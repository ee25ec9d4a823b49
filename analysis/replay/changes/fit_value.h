/* Reads fit(...): an attribute of an event, and its new value as an expression of it. */
#ifndef GLIMPSE_ANALYSIS_REPLAY_CHANGES_FIT_VALUE_H
#define GLIMPSE_ANALYSIS_REPLAY_CHANGES_FIT_VALUE_H

#include "spec/expr.h"
#include "trace/trace.h"

struct fit_value {
	const struct event_type *event;
	unsigned attribute;
	struct expr *asked;
};

/*
 * Parses "size", "size / 2" or "size, 65536" for events of a type. Returns false and sets *refusal
 * to the reason, which the caller frees: it is no expression of one attribute that is a number.
 */
bool fit_value_parse(const struct spec *spec, const struct event_type *event, const char *text,
		     struct fit_value *v, char **refusal);
void fit_value_free(struct fit_value *v);

/* Returns the recorded value of an event. */
double fit_value_recorded(const struct fit_value *v, const struct event *e);
/*
 * Sets *value to the value that is asked for. Returns false on a fault: overflow, division by zero.
 */
bool fit_value_asked(const struct fit_value *v, const struct trace *t, const struct event *e,
		     double *value);

/* Whether a text is an expression, or two with a comma between them. */
bool fit_value_is_expression(const char *text);

#endif
