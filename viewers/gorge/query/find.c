#include "viewers/gorge/query/find.h"
#include "spec/qualified.h"
#include "viewers/gorge/index/trace_index.h"
#include "viewers/gorge/query/definitions.h"
#include "viewers/gorge/query/filter.h"
#include <stdlib.h>
#include <string.h>

static const char BLANKS[] = " \t\r\n";

struct question {
	const struct interval *interval;        /* of the trace */
	bool unmatched;
	struct spec *spec;                      /* owns the condition; NULL: there is none */
	const struct expr *condition;
};

/* Reads a condition; an assertion of the interval is read as one of the specification's. */
static bool read_condition(struct question *q, const struct spec *spec, const char *condition,
			   struct diag *diag)
{
	char *plain = qualified_replace(spec, condition);
	const char *items;
	size_t n = spec_items(spec, &items);
	char *text = text_format("glimpse search assert %s:\n%s\n;\n%.*s\nend search\n",
				 q->interval->name, plain, (int)n, items);

	free(plain);
	q->spec = definitions_import(condition) ? NULL : spec_parse("search", text, diag);
	free(text);
	if (!q->spec || q->spec->nassertions != spec->nassertions + 1) {
		if (!diag->errors)
			diag_error(diag, DIAG_NOWHERE, "expected one condition after \"where\"");
		return false;
	}
	q->condition = q->spec->assertions[0]->condition;
	return true;
}

static const struct interval *read_interval(const struct spec *spec, const char *name, size_t n,
					    struct diag *diag)
{
	char *copy = text_format("%.*s", (int)n, name);
	const struct interval *interval = spec_interval(spec, copy);

	if (is_ambiguous(spec, copy, DIAG_NOWHERE, diag))
		interval = NULL;
	else if (!interval)
		diag_error(diag, DIAG_NOWHERE,
			   "there is no interval '%s'; write, for instance, "
			   "Transit where time > 1 ms",
			   copy);
	free(copy);
	return interval;
}

static bool question_read(struct question *q, const struct spec *spec, const char *text,
			  struct diag *diag)
{
	const char *name = text + strspn(text, BLANKS);
	size_t n = strcspn(name, BLANKS);
	const char *rest = name + n + strspn(name + n, BLANKS);

	*q = (struct question){.interval = read_interval(spec, name, n, diag)};
	if (!q->interval)
		return false;
	q->unmatched = !strcmp(rest, "unmatched");
	if (q->unmatched || !*rest)
		return true;
	if (!strncmp(rest, "where", 5))
		return read_condition(q, spec, rest + 5, diag);
	diag_error(diag, DIAG_NOWHERE,
		   "expected \"where CONDITION\" or \"unmatched\" after the name");
	return false;
}

/*
 * Finds the first unmatched anchors of each thread, which are enough, as they are in the order of
 * time.
 */
static void find_alone(const struct instances *n, struct results *results)
{
	results->count = n->first_unmatched[n->nthreads];
	for (unsigned t = 0; t < n->nthreads; t++)
		for (size_t i = n->first_unmatched[t], k = 0;
		     i < n->first_unmatched[t + 1] && k < RESULTS_LISTED; i++, k++) {
			event_id id = event_id_make(t, n->unmatched[i]);
			int64_t time = event_index_time(n->event_index, id);
			*vector_add(&results->list) =
			    (struct result){.anchor = id, .time = time, .start = time, .end = time};
		}
	results_sort(results);
}

static void find_find_instances(const struct question *q, const struct instances *n,
				struct results *results)
{
	struct filter filter = q->condition ? filter_condition(q->condition, false)
					  : filter_durations(0, INT64_MAX);

	if (q->unmatched)
		find_alone(n, results);
	else
		filter_run(&filter, n, results, NULL);
}

/* So long other answers may wait for instances that are found soon. */
enum { PATIENCE = 300 };

static bool is_waiting(const struct question *q, struct trace_index *m)
{
	bool *one = array_zero(m->trace->spec->nintervals, sizeof *one), missing;

	one[q->interval->index] = true;
	missing = matcher_wait(m->matcher, one, PATIENCE);
	free(one);
	return missing;
}

static void write_hits(const struct question *q, struct trace_index *m, struct json *j)
{
	struct results results = {0};

	if (is_waiting(q, m)) {
		json_string(j, "waiting", q->interval->name);
		return;
	}
	find_find_instances(q, trace_index_use(m, q->interval), &results);
	trace_index_used();
	json_string(j, "interval", q->interval->name);
	json_bool(j, "unmatched", q->unmatched);
	results_write(&results, m, j);
	results_clear(&results);
}

bool find_write(struct trace_index *m, const char *question, struct json *j, struct diag *diag)
{
	struct question q;
	bool good = question_read(&q, m->trace->spec, question, diag);

	if (good)
		write_hits(&q, m, j);
	if (q.spec)
		spec_free(q.spec);
	return good;
}
