#include "viewers/gorge/find.h"
#include "viewers/gorge/definitions.h"
#include "viewers/gorge/lookup.h"
#include "viewers/vector.h"
#include <stdlib.h>
#include <string.h>

/* So many are listed; all are counted. */
enum { LISTED = 500 };

static const char BLANKS[] = " \t\r\n";

struct question {
	const struct interval *interval;        /* of the trace */
	bool unmatched;
	struct spec *spec;                      /* what the condition belongs to; NULL: there is none */
	const struct expr *condition;
};

/* An assertion of the interval is the condition: it is read as one of the specification's. */
static bool read_condition(struct question *q, const struct spec *spec, const char *condition,
			   struct diag *diag)
{
	char *text = text_of("%s\nglimpse %s assert %s:\n%s\n; end\n", spec->text, spec->name,
			     q->interval->name, condition);

	q->spec = text_has_import(condition) ? NULL : spec_parse("search", text, diag);
	free(text);
	if (!q->spec || q->spec->nassertions != spec->nassertions + 1) {
		if (!diag->errors)
			diag_error(diag, DIAG_NOWHERE, "behind where stands one condition");
		return false;
	}
	q->condition = q->spec->assertions[q->spec->nassertions - 1]->condition;
	return true;
}

static const struct interval *read_interval(const struct spec *spec, const char *name, size_t n,
					    struct diag *diag)
{
	char *copy = text_of("%.*s", (int)n, name);
	const struct interval *interval = spec_interval(spec, copy);

	if (!interval)
		diag_error(diag, DIAG_NOWHERE,
			   "there is no interval '%s'; write, for instance, Transit where time > 1 ms",
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
	diag_error(diag, DIAG_NOWHERE, "behind the name stands where and a condition, or unmatched");
	return false;
}

static bool is_hit(const struct question *q, const struct matches *m, size_t anchor)
{
	struct binding b;
	uint64_t faults = 0;

	if (q->unmatched || m->partner_of[anchor] == UNMATCHED)
		return q->unmatched && m->partner_of[anchor] == UNMATCHED;
	if (!q->condition)
		return true;
	matches_bind(m, anchor, &b);
	return expr_holds(q->condition, &b, &faults);
}

static void write_hit(struct model *model, const struct matches *m, size_t anchor, struct json *j)
{
	struct instance i;

	matches_get(m, anchor, &i);
	json_array(j, NULL);
	json_uint(j, NULL, lookup_index(model, m, anchor));
	json_int(j, NULL, i.start);
	json_int(j, NULL, i.end);
	json_close(j);
}

static void write_hits(const struct question *q, struct model *model, const struct matches *m,
		       struct json *j)
{
	uint64_t count = 0;

	json_string(j, "interval", q->interval->name);
	json_bool(j, "unmatched", q->unmatched);
	json_array(j, "hits");
	for (size_t a = 0; a < m->count; a++)
		if (is_hit(q, m, a) && count++ < LISTED)
			write_hit(model, m, a, j);
	json_close(j);
	json_uint(j, "count", count);
}

bool find_write(struct model *m, const char *question, struct json *j, struct diag *diag)
{
	struct question q;
	bool good = question_read(&q, m->trace->spec, question, diag);

	if (good)
		write_hits(&q, m, model_matches(m, q.interval), j);
	if (q.spec)
		spec_free(q.spec);
	return good;
}
