#include "viewers/gorge/violations.h"
#include "viewers/gorge/sheet.h"
#include "viewers/vector.h"
#include <stdlib.h>

/* So many of an assertion's violations are listed; all are counted. */
enum { LISTED = 500 };

/* The anchor of an instance that breaks an assertion. */
struct offender {
	int64_t time;
	uint32_t anchor;
};

/* Those of one thread. */
struct offenders {
	VECTOR(struct offender) list;
};

struct anchors {
	VECTOR(uint32_t) list;
};

struct violations {
	struct model *model;
	struct verdict *verdicts;       /* of the assertions */
	struct offenders **offenders;   /* by interval.index: by thread; NULL: there are none */
	struct anchors *anchors;        /* by interval.index: in order */
};

static bool is_broken(const struct assertion *a, const struct matches *m, size_t anchor)
{
	struct binding b;
	uint64_t faults = 0;

	if (a->interval != m->interval)
		return false;
	matches_bind(m, anchor, &b);
	return !expr_holds(a->condition, &b, &faults);
}

void instance_write_violated(const struct spec *spec, const struct matches *m, size_t anchor,
			     struct json *j, const char *key)
{
	json_array(j, key);
	for (unsigned i = 0; i < spec->nassertions; i++) {
		char *text;
		if (!is_broken(spec->assertions[i], m, anchor))
			continue;
		text = assertion_text(spec->assertions[i]);
		json_string(j, NULL, text);
		free(text);
	}
	json_close(j);
}

static int compare_anchors(const void *pa, const void *pb)
{
	uint32_t a = *(const uint32_t *)pa, b = *(const uint32_t *)pb;

	return (a > b) - (a < b);
}

static int compare_offenders(const void *pa, const void *pb)
{
	const struct offender *a = pa, *b = pb;

	if (a->time != b->time)
		return a->time < b->time ? -1 : 1;
	return (a->anchor > b->anchor) - (a->anchor < b->anchor);
}

/* Sorts, and takes those only once that break several assertions. */
static void sort_offenders(struct offenders *o)
{
	size_t n = 0;

	if (o->list.n)
		qsort(o->list.at, o->list.n, sizeof *o->list.at, compare_offenders);
	for (size_t i = 0; i < o->list.n; i++)
		if (n == 0 || o->list.at[n - 1].anchor != o->list.at[i].anchor)
			o->list.at[n++] = o->list.at[i];
	o->list.n = n;
}

static void add_offender(void *violations, const struct matches *m, size_t anchor)
{
	struct violations *v = violations;
	const struct trace *t = v->model->trace;
	struct offenders **threads = &v->offenders[m->interval->index];
	struct instance i;

	if (!*threads)
		*threads = zeroed(t->nthreads, sizeof **threads);
	matches_get(m, anchor, &i);
	*vector_add(&v->anchors[m->interval->index].list) = (uint32_t)anchor;
	*vector_add(&(*threads)[thread_index(t, i.anchor.thread)].list) =
		(struct offender){i.anchor.time, (uint32_t)anchor};
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
	v->anchors = zeroed(spec->nintervals, sizeof *v->anchors);
	for (unsigned i = 0; i < spec->nassertions; i++)
		v->verdicts[i] = check_each(all, spec->assertions[i], LISTED, add_offender, v);
	for (unsigned i = 0; i < spec->nintervals; i++) {
		if (v->anchors[i].list.n)
			qsort(v->anchors[i].list.at, v->anchors[i].list.n, sizeof(uint32_t),
			      compare_anchors);
		for (unsigned t = 0; v->offenders[i] && t < m->trace->nthreads; t++)
			sort_offenders(&v->offenders[i][t]);
	}
	aggregates_free(all);
	return v;
}

static void offenders_free(struct offenders *threads, unsigned nthreads)
{
	for (unsigned i = 0; threads && i < nthreads; i++)
		free(threads[i].list.at);
	free(threads);
}

void violations_free(struct violations *v)
{
	const struct trace *t;

	if (!v)
		return;
	t = v->model->trace;
	for (unsigned i = 0; i < t->spec->nassertions; i++)
		verdict_clear(&v->verdicts[i]);
	for (unsigned i = 0; i < t->spec->nintervals; i++) {
		offenders_free(v->offenders[i], t->nthreads);
		free(v->anchors[i].list.at);
	}
	free(v->anchors);
	free(v->verdicts);
	free(v->offenders);
	free(v);
}

bool violations_have(const struct violations *v, const struct interval *interval, size_t anchor)
{
	const struct anchors *a = &v->anchors[interval->index];
	uint32_t key = (uint32_t)anchor;

	return a->list.n && bsearch(&key, a->list.at, a->list.n, sizeof key, compare_anchors);
}

/* The first at i or behind that is not before the time. */
static size_t seek(const struct offenders *o, size_t i, int64_t time)
{
	size_t high = o->list.n;

	while (i < high) {
		size_t middle = i + (high - i) / 2;
		if (o->list.at[middle].time < time)
			i = middle + 1;
		else
			high = middle;
	}
	return i;
}

void violations_put(const struct violations *v, const struct interval *interval, unsigned thread,
		    const struct scene *scene, struct marks *marks, uint32_t lane)
{
	const struct offenders *o = v->offenders[interval->index];

	if (!o)
		return;
	o += thread;
	for (size_t next, i = seek(o, 0, scene->window.from); i < o->list.n; i = next) {
		int32_t column = scene_column(scene, o->list.at[i].time);
		if (o->list.at[i].time > scene->window.to)
			return;
		next = seek(o, i, scene_column_end(scene, column));
		marks_count(marks, lane, column, 0, o->list.at[i].anchor, next - i);
	}
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
		json_uint(j, NULL, verdict->worst[i].anchor);
		json_int(j, NULL, instance.start);
		json_int(j, NULL, instance.end);
		json_close(j);
	}
	json_close(j);
	json_uint(j, "count", verdict->violated);
}
