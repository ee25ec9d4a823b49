#include "viewers/gorge/violations.h"
#include "viewers/gorge/lookup.h"
#include "viewers/vector.h"
#include <stdlib.h>

/* So many of an assertion's violations are listed; all are counted. */
enum { LISTED = 500 };

struct violations {
	struct model *model;
	struct verdict *verdicts;       /* of the assertions */
	struct subset **offenders;      /* by interval.index; NULL: there are none */
};

void instance_write_violated(const struct spec *spec, const struct interval *interval,
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

static void add_offender(void *violations, const struct matches *m, size_t anchor)
{
	struct violations *v = violations;
	struct subset **offenders = &v->offenders[m->interval->index];

	if (!*offenders)
		*offenders = subset_new(v->model, m);
	subset_add(*offenders, anchor);
}

static const struct matches *find_matches(void *model, const struct interval *interval)
{
	return model_matches(model, interval);
}

struct violations *violations_new(struct model *m)
{
	const struct spec *spec = m->trace->spec;
	struct aggregates *all = aggregates_new_from(m->trace, find_matches, m);
	struct violations *v = zeroed(1, sizeof *v);

	v->model = m;
	v->verdicts = zeroed(spec->nassertions, sizeof *v->verdicts);
	v->offenders = zeroed(spec->nintervals, sizeof *v->offenders);
	for (unsigned i = 0; i < spec->nassertions; i++)
		v->verdicts[i] = check_each(all, spec->assertions[i], LISTED, add_offender, v);
	for (unsigned i = 0; i < spec->nintervals; i++)
		if (v->offenders[i])
			subset_end(v->offenders[i]);
	aggregates_free(all);
	return v;
}

void violations_free(struct violations *v)
{
	const struct spec *spec;

	if (!v)
		return;
	spec = v->model->trace->spec;
	for (unsigned i = 0; i < spec->nassertions; i++)
		verdict_clear(&v->verdicts[i]);
	for (unsigned i = 0; i < spec->nintervals; i++)
		subset_free(v->offenders[i]);
	free(v->verdicts);
	free(v->offenders);
	free(v);
}

const struct subset *violations_of(const struct violations *v, const struct interval *interval)
{
	return v->offenders[interval->index];
}

static void write_verdict(const struct verdict *v, struct json *j)
{
	char *text = assertion_text(v->assertion);

	json_object(j, NULL);
	json_string(j, "text", text);
	if (v->assertion->interval)
		json_string(j, "interval", v->assertion->interval->name);
	json_bool(j, "holds", v->holds);
	json_bool(j, "undefined", v->undefined);
	json_uint(j, "instances", v->instances);
	json_uint(j, "violated", v->violated);
	json_close(j);
	free(text);
}

void violations_write(const struct violations *v, struct json *j, const char *key)
{
	json_array(j, key);
	for (unsigned i = 0; i < v->model->trace->spec->nassertions; i++)
		write_verdict(&v->verdicts[i], j);
	json_close(j);
}

void violations_write_worst(const struct violations *v, unsigned assertion, struct json *j)
{
	const struct verdict *verdict = &v->verdicts[assertion];
	const struct interval *interval = verdict->assertion->interval;
	const struct matches *m = interval ? model_matches(v->model, interval) : NULL;

	json_string(j, "interval", interval ? interval->name : "");
	json_bool(j, "unmatched", false);
	json_array(j, "hits");
	for (size_t i = 0; i < verdict->nworst; i++) {
		struct instance instance;
		matches_get(m, verdict->worst[i].anchor, &instance);
		json_array(j, NULL);
		json_uint(j, NULL, lookup_index(v->model, m, verdict->worst[i].anchor));
		json_int(j, NULL, instance.start);
		json_int(j, NULL, instance.end);
		json_close(j);
	}
	json_close(j);
	json_uint(j, "count", verdict->violated);
}
