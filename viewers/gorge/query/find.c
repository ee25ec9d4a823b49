#include "viewers/gorge/query/find.h"
#include "spec/qualified.h"
#include "viewers/gorge/index/trace_index.h"
#include "viewers/gorge/query/definitions.h"
#include "viewers/gorge/query/filter.h"
#include "viewers/gorge/query/hits.h"
#include "viewers/gorge/query/presence.h"
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static const char BLANKS[] = " \t\r\n";

struct find_query {
	const struct interval *interval; /* of the trace */
	bool unmatched;
	struct spec *spec; /* owns the condition; NULL: there is none */
	const struct expr *condition;
};

/* Reads a condition; an assertion of the interval is read as one of the specification's. */
static bool read_condition(struct find_query *q, const struct spec *spec, const char *condition,
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

/* ---- names ---- */

static bool has_label(const struct interval *interval, const char *name)
{
	const char *label = interval->style.label;

	return !strcasecmp(interval->name, name) || (label && !strcasecmp(label, name));
}

/* Returns the one interval with a name or label in any case; NULL: there is none, or several. */
static const struct interval *labelled(const struct trace *t, const char *name)
{
	const struct interval *found = NULL;

	for (unsigned i = 0; i < t->spec->nintervals; i++) {
		const struct interval *n = t->spec->intervals[i];

		if (!has_label(n, name) || presence_lacks(t, n))
			continue;
		if (found)
			return NULL;
		found = n;
	}
	return found;
}

static const struct interval *example_interval(const struct trace *t)
{
	for (unsigned i = 0; i < t->spec->nintervals; i++)
		if (!presence_lacks(t, t->spec->intervals[i]))
			return t->spec->intervals[i];
	return NULL;
}

/* Returns whether an interval's name or label stands before other words. */
static bool begins_with_interval(const struct trace *t, const char *text)
{
	char *word = text_format("%.*s", (int)strcspn(text, BLANKS), text);
	bool is_name = spec_interval(t->spec, word) || labelled(t, word);

	free(word);
	return is_name;
}

/* Says that there is no such name, with one that the trace has. */
static void say_unknown(const struct trace *t, const char *name, bool whole, struct diag *diag)
{
	const struct interval *example = example_interval(t);
	char *hint = example
			 ? text_format("; write, for example, %s where time > 1 ms", example->name)
			 : text_format("%s", "");

	if (whole && begins_with_interval(t, name))
		diag_error(diag, DIAG_NOWHERE,
			   "expected \"where CONDITION\" or \"unmatched\" after the name");
	else if (whole)
		diag_error(diag, DIAG_NOWHERE, "nothing in this trace is called '%s'%s", name,
			   hint);
	else
		diag_error(diag, DIAG_NOWHERE, "there is no interval '%s'%s", name, hint);
	free(hint);
}

/* whole: the question is this name alone. */
static const struct interval *read_interval(const struct trace *t, const char *name, bool whole,
					    struct diag *diag)
{
	const struct interval *interval = spec_interval(t->spec, name);

	if (is_ambiguous(t->spec, name, DIAG_NOWHERE, diag))
		return NULL;
	if (!interval)
		interval = labelled(t, name);
	if (!interval)
		say_unknown(t, name, whole, diag);
	return interval;
}

const struct interval *find_interval(const struct trace *t, const char *name, struct diag *diag)
{
	return read_interval(t, name, true, diag);
}

/* Returns the text from a word on, if it is "where" or "unmatched" at its end; or NULL. */
static const char *begins_rest(const char *word)
{
	size_t n = strcspn(word, BLANKS);

	if (n == 5 && !strncmp(word, "where", n))
		return word;
	return n == 9 && !strncmp(word, "unmatched", n) && !word[n + strspn(word + n, BLANKS)]
		   ? word
		   : NULL;
}

/* Splits a question into a name, which may have blanks, and what follows it: "" or "where ...". */
static char *split_question(const char *text, const char **rest)
{
	const char *name = text + strspn(text, BLANKS), *end = name, *at = name;

	for (*rest = ""; *at; at += strspn(at, BLANKS)) {
		if (at > name && begins_rest(at)) {
			*rest = at;
			break;
		}
		at += strcspn(at, BLANKS);
		end = at;
	}
	return text_format("%.*s", (int)(end - name), name);
}

char *find_plain(const char *text)
{
	const char *rest;
	char *name = split_question(text, &rest);

	if (!*rest && *name)
		return name;
	free(name);
	return NULL;
}

static bool question_read(struct find_query *q, const struct trace *t, const char *text,
			  struct diag *diag)
{
	const char *rest;
	char *name = split_question(text, &rest);

	*q = (struct find_query){.interval = read_interval(t, name, !*rest, diag)};
	free(name);
	if (!q->interval)
		return false;
	q->unmatched = *rest == 'u';
	return q->unmatched || !*rest || read_condition(q, t->spec, rest + strlen("where"), diag);
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

static void find_find_instances(const struct find_query *q, const struct instances *n,
				struct results *results)
{
	struct filter filter =
	    q->condition ? filter_condition(q->condition, false) : filter_durations(0, INT64_MAX);

	if (q->unmatched)
		find_alone(n, results);
	else
		filter_run(&filter, n, results, NULL);
}

/* So long other answers may wait for instances that are found soon. */
enum { PATIENCE = 300 };

static bool is_waiting(const struct find_query *q, struct trace_index *m)
{
	bool *one = array_zero(m->trace->spec->nintervals, sizeof *one), missing;

	one[q->interval->index] = true;
	missing = matcher_wait(m->matcher, one, PATIENCE);
	free(one);
	return missing;
}

static void write_hits(const struct find_query *q, struct trace_index *m, struct json *j)
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
	hits_write(&results, m, q->interval, j);
	results_clear(&results);
}

bool find_write(struct trace_index *m, const char *question, struct json *j, struct diag *diag)
{
	struct find_query q;
	bool good = question_read(&q, m->trace, question, diag);

	if (good)
		write_hits(&q, m, j);
	if (q.spec)
		spec_free(q.spec);
	return good;
}
