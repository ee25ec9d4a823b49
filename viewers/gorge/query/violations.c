#include "viewers/gorge/query/violations.h"
#include "base/array.h"
#include "viewers/gorge/index/trace_index.h"
#include "viewers/gorge/query/distribution.h"
#include "viewers/gorge/query/filter.h"
#include "viewers/gorge/query/hits.h"
#include "viewers/gorge/query/metric_values.h"
#include <stdlib.h>

/* What became of an assertion. */
struct assertion_result {
	const struct assertion *assertion;
	bool holds;
	bool undefined;       /* over aggregates: one of them has no value */
	uint64_t instances;   /* of its interval; */
	struct results worst; /* and those that break it */
};

struct violations {
	struct trace_index *index;
	struct assertion_result *findings; /* of the assertions */
	struct event_set **offenders;      /* by interval.index; NULL: no assertion is of it */
	struct aggregates *all;            /* while they are looked for */
};

void violations_write_broken(const struct spec *spec, const struct interval *interval,
			     const struct binding *b, struct json *j, const char *key)
{
	uint64_t faults = 0;

	json_array(j, key);
	for (unsigned i = 0; i < spec->nassertions; i++) {
		const struct assertion *a = spec->assertions[i];
		char *text;
		if (a->interval != interval || expr_holds(a->condition, b, &faults))
			continue;
		text = assertion_text(a);
		json_string(j, NULL, text);
		free(text);
	}
	json_close(j);
}

static const struct matches *find_matches(void *model, const struct interval *interval)
{
	return trace_index_matches(model, interval);
}

static struct assertion_result check_instances(struct violations *v, const struct assertion *a)
{
	const struct instances *n = trace_index_use(v->index, a->interval);
	struct event_set **offenders = &v->offenders[a->interval->index];
	struct filter filter = filter_condition(a->condition, true);
	struct assertion_result f = {.assertion = a, .instances = n->matched};

	if (!*offenders)
		*offenders = event_set_new(v->index->events);
	filter_run(&filter, n, &f.worst, *offenders);
	trace_index_used();
	f.holds = f.worst.count == 0;
	return f;
}

static struct series measure(void *model, const struct interval *interval,
			     const struct metric *metric)
{
	struct trace_index *p = ((struct trace_index *)model);
	struct series s = metric_values(trace_index_use(p, interval), metric);

	trace_index_used();
	return s;
}

static struct value violations_integer(uint64_t n)
{
	return (struct value){.kind = VALUE_INT, .integer = (__int128)n};
}

/* Computes an aggregate; without a metric, instances are enough, and matches are not needed. */
static bool aggregate(void *violations, const struct aggregate *wanted, struct value *result)
{
	struct violations *v = violations;
	double seconds = (double)v->index->trace->duration / 1e9;
	const struct instances *n;

	if (!wanted->interval || wanted->metric)
		return aggregates_value(v->all, wanted, result);
	n = trace_index_use(v->index, wanted->interval);
	trace_index_used(); /* its numbers stay */
	switch (wanted->function) {
	case AGGREGATE_COUNT:
		*result = violations_integer(n->matched);
		return true;
	case AGGREGATE_UNMATCHED:
		*result = violations_integer(n->anchors - n->matched);
		return true;
	case AGGREGATE_RATE:
		*result = (struct value){.kind = VALUE_REAL, .real = (double)n->matched / seconds};
		return seconds > 0;
	default:
		return distribution_aggregate(v->index, wanted, result);
	}
}

static struct assertion_result check_aggregates(struct violations *v, const struct assertion *a)
{
	struct binding b = {.aggregate = aggregate, .context = v};
	struct assertion_result f = {.assertion = a};
	uint64_t faults = 0;

	f.holds = expr_holds(a->condition, &b, &faults);
	f.undefined = faults > 0;
	return f;
}

struct violations *violations_new(struct trace_index *m)
{
	const struct spec *spec = m->trace->spec;
	struct violations *v = array_zero(1, sizeof *v);

	matcher_lend(m->matcher);
	v->index = m;
	v->all = aggregates_new_from(
	    m->trace, &(struct lender){.find = find_matches, .measure = measure, .context = m});
	v->findings = array_zero(spec->nassertions, sizeof *v->findings);
	v->offenders = array_zero(spec->nintervals, sizeof *v->offenders);
	for (unsigned i = 0; i < spec->nassertions; i++) {
		const struct assertion *a = spec->assertions[i];
		v->findings[i] = a->interval ? check_instances(v, a) : check_aggregates(v, a);
	}
	aggregates_free(v->all);
	return v;
}

void violations_free(struct violations *v)
{
	const struct spec *spec;

	if (!v)
		return;
	spec = v->index->trace->spec;
	for (unsigned i = 0; i < spec->nassertions; i++)
		results_clear(&v->findings[i].worst);
	for (unsigned i = 0; i < spec->nintervals; i++)
		event_set_free(v->offenders[i]);
	free(v->findings);
	free(v->offenders);
	free(v);
}

const struct event_set *violations_of(const struct violations *v, const struct interval *interval)
{
	return v->offenders[interval->index];
}

static void write_finding(const struct assertion_result *f, struct json *j)
{
	char *text = assertion_text(f->assertion);

	json_object(j, NULL);
	json_string(j, "text", text);
	if (f->assertion->interval)
		json_string(j, "interval", f->assertion->interval->name);
	json_bool(j, "holds", f->holds);
	json_bool(j, "undefined", f->undefined);
	json_uint(j, "instances", f->instances);
	json_uint(j, "violated", f->worst.count);
	json_close(j);
	free(text);
}

void violations_write(const struct violations *v, struct json *j, const char *key)
{
	json_array(j, key);
	for (unsigned i = 0; i < v->index->trace->spec->nassertions; i++)
		write_finding(&v->findings[i], j);
	json_close(j);
}

void violations_write_worst(const struct violations *v, unsigned assertion, struct json *j)
{
	const struct assertion_result *f = &v->findings[assertion];
	const struct interval *interval = f->assertion->interval;

	json_string(j, "interval", interval ? interval->name : "");
	json_bool(j, "unmatched", false);
	hits_write(&f->worst, v->index, interval, j);
}
