#include "analysis/replay/answer/changes_parse.h"
#include "analysis/replay/answer/subject_fix.h"
#include "analysis/replay/program/schedule.h"
#include "base/nearest.h"
#include "base/units.h"
#include "base/usage.h"
#include "grammar/parse.h"
#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum {
	MOST_PROCESSORS = 1000000,
	MOST_REQUESTS = 1000000,
	MOST_REPLAYS = 100000,
	MOST_MEMBERS = 100000,
	MOST_SLOTS = 1000000
};

/* An option that is parsed. */
struct parsing {
	struct change_set *set;
	const char *option, *text;
	struct diag *diag;
	char *wrong; /* NULL: nothing is */
};

/* Says what is wrong, once. */
__attribute__((format(printf, 2, 3))) static void fail(struct parsing *p, const char *format, ...)
{
	va_list values;

	if (p->wrong)
		return;
	va_start(values, format);
	p->wrong = text_vformat(format, values);
	va_end(values);
}

/*
 * Returns what comes before the last '=', and sets *value to what is after it. Returns NULL if one
 * of them is missing.
 */
static char *part(const struct parsing *p, const char **value)
{
	const char *equals = strrchr(p->text, '=');

	*value = "";
	if (!equals || equals == p->text || !equals[1])
		return NULL;
	*value = equals + 1;
	return text_format("%.*s", (int)(equals - p->text), p->text);
}

static char *what_part(struct parsing *p, const char **value)
{
	char *what = part(p, value);

	if (!what)
		fail(p, "--%s: expected WHAT=VALUE, not '%s'", p->option, p->text);
	return what;
}

/* Parses a number from 1 to `most`. */
static unsigned long number(struct parsing *p, unsigned long most)
{
	char *end;
	unsigned long n = strtoul(p->text, &end, 10);

	if (*end || n < 1 || n > most)
		fail(p, "--%s: invalid number '%s' (expected 1 to %lu)", p->option, p->text, most);
	return n;
}

/* ---- what threads do in intervals ---- */

/* own(WHAT) is WHAT without what it calls. Changes the text. */
static const char *own_part(char *what, bool *own)
{
	size_t n = strlen(what);

	*own = n > 5 && strncmp(what, "own(", 4) == 0 && what[n - 1] == ')';
	if (*own) {
		what[n - 1] = 0;
		memmove(what, what + 4, n - 4);
	}
	return what;
}

static void condition_test(struct parsing *p, const char *condition)
{
	struct source *source = source_text(p->option, condition);
	struct ast *tree = parse_series(source, p->diag);

	if (!tree)
		fail(p, "--%s: invalid condition '%s'", p->option, condition);
	ast_free(tree);
	source_free(source);
}

/* Parses WHAT [where CONDITION]. Changes the text. */
static void span_name(struct parsing *p, char *what, struct span_change *c)
{
	static const char where[] = " where ";
	char *condition = strstr(what, where);

	if (condition) {
		*condition = 0;
		c->where = condition + sizeof where - 1;
		condition_test(p, c->where);
	}
	c->what = own_part(what, &c->own);
}

/* Parses WHAT [where CONDITION]=VALUE. Returns NULL if that is wrong. */
static struct span_change *span_add(struct parsing *p, enum span_change_kind kind,
				    const char **value)
{
	char *what = what_part(p, value);
	struct span_change *c;

	if (!what)
		return NULL;
	if (p->set->spans.n == MOST_CHANGES) {
		fail(p, "--%s: too many changes (at most %d)", p->option, MOST_CHANGES);
		free(what);
		return NULL;
	}
	c = vector_add(&p->set->spans);
	c->kind = kind;
	c->exact = p->set->exact;
	if (c->exact)
		c->what = what;
	else
		span_name(p, what, c);
	return p->wrong ? NULL : c;
}

static void factor_add(struct parsing *p, enum span_change_kind kind)
{
	const char *value = "";
	struct span_change *c = span_add(p, kind, &value);
	char *end;

	if (!c)
		return;
	c->factor = strtod(value, &end);
	if (*end || !(c->factor > 0))
		fail(p, "--%s %s: invalid factor '%s' (expected a number above 0, or inf)",
		     p->option, p->text, value);
}

static void speed_add(struct parsing *p)
{
	factor_add(p, SPAN_SPEED);
}

static void device_add(struct parsing *p)
{
	const char *value = "";
	struct span_change *c = span_add(p, SPAN_IO, &value);

	if (!c)
		return;
	c->factor = 1;
	c->device_text = value;
	if (!device_parse(value, &c->device))
		fail(
		    p,
		    "--io %s: invalid device '%s' (expected BANDWIDTH/s,LATENCY such as 200MB/s,0.1ms; units are "
		    "kB, MB, GB, KiB, MiB, GiB and ns, us, ms, s)",
		    p->text, value);
}

static void io_add(struct parsing *p)
{
	const char *value = strrchr(p->text, '=');

	if (value && (strchr(value, '/') || strchr(value, ',')))
		device_add(p);
	else
		factor_add(p, SPAN_IO);
}

static void length_add(struct parsing *p, enum span_change_kind kind)
{
	const char *value = "";
	struct span_change *c = span_add(p, kind, &value);

	if (c && !distribution_parse(value, &c->length))
		fail(
		    p,
		    "--%s %s: invalid length '%s' (expected 5ms, uniform(1ms,3ms), normal(MEAN,DEVIATION), "
		    "lognormal(MEDIAN,SIGMA), exponential(MEAN), measured or fit(ATTRIBUTE))",
		    p->option, p->text, value);
}

static void time_add(struct parsing *p)
{
	length_add(p, SPAN_TIME);
}

static void hold_add(struct parsing *p)
{
	length_add(p, SPAN_HOLD);
}

/* ---- subjects ---- */

/* Cuts "KIND:" off a text. Returns NSUBJECTS if it has no such begin. */
static enum subject_kind subject_kind_part(const char **text)
{
	for (enum subject_kind k = 0; k < NSUBJECTS; k++) {
		const char *name = subject_kind_name(k);
		size_t n = strlen(name);

		if (strncmp(*text, name, n) == 0 && (*text)[n] == ':' && (*text)[n + 1]) {
			*text += n + 1;
			return k;
		}
	}
	return NSUBJECTS;
}

/* Cuts "=VALUE" off a name, which may have such signs itself. */
static void fix_value_part(char *name, struct subject_change *c)
{
	char *equals = strrchr(name, '='), *end;
	double factor = equals && equals[1] ? strtod(equals + 1, &end) : 0;

	if (!equals || equals == name)
		return;
	c->none = strcmp(equals + 1, "none") == 0;
	if (!c->none && (factor <= 0 || *end))
		return;
	c->factor = factor;
	*equals = 0;
}

/* Parses KIND:NAME[=FACTOR]. */
static void fix_add(struct parsing *p)
{
	const char *text = p->text;
	struct subject_change c = {.kind = subject_kind_part(&text), .factor = 2};
	char *name;

	if (c.kind == NSUBJECTS) {
		fail(p,
		     "--fix: expected function:NAME, interval:NAME, lock:NAME, site:NAME or "
		     "thread:NAME, not '%s'",
		     p->text);
		return;
	}
	name = text_format("%s", text);
	fix_value_part(name, &c);
	c.name = name;
	if (c.none && c.kind != SUBJECT_LOCK) {
		fail(p, "--fix %s: only a lock can be none; inf: it takes no time", p->text);
		free(name);
		return;
	}
	*vector_add(&p->set->fixes) = c;
}

static void fix_resolve(struct change_set *set, const struct model *m,
			const struct subject_change *c, struct subject *of)
{
	enum rank_fix fix;
	unsigned kinds;
	struct gain g;
	struct span_change span;

	*of = subject_named(m->trace, c->kind, c->name);
	if (c->none) {
		*vector_add(&set->locks) = (struct lock_change){
		    .what = c->name, .subject = of, .discipline = DISCIPLINE_NONE};
		return;
	}
	g = subject_fix_of(m, of, &fix, &kinds);
	span = gain_change(&g);
	span.what = c->name;
	span.exact = true;
	span.factor = c->factor;
	*vector_add(&set->spans) = span;
}

void changes_resolve(struct change_set *set, const struct model *m)
{
	struct subject *subjects;

	if (!set->fixes.n)
		return;
	subjects = array_new(set->fixes.n, sizeof *subjects);
	for (size_t i = 0; i < set->fixes.n; i++)
		fix_resolve(set, m, &set->fixes.at[i], &subjects[i]);
	set->fixes.n = 0;
}

static void multiply_add(struct parsing *p)
{
	p->set->others.multiply = true;
}

/* ---- locks ---- */

/* Parses readers-writer(WHO). */
static bool readers_part(const char *value, struct lock_change *c)
{
	static const char word[] = "readers-writer(";
	size_t n = strlen(value), length = sizeof word - 1;

	if (strncmp(value, word, length) != 0 || n < length + 2 || value[n - 1] != ')')
		return false;
	c->readers = text_format("%.*s", (int)(n - length - 1), value + length);
	return true;
}

/* Parses what comes before " by ATTRIBUTE", N. */
static bool split_part(const char *value, struct lock_change *c)
{
	const char *by = strstr(value, " by ");
	char *end;

	c->parts = (unsigned)strtoul(value, &end, 10);
	c->by = by ? by + 4 : NULL;
	return by && end == by && *c->by && c->parts >= 2 && c->parts <= MOST_PARTS;
}

static const char *const orders[] = {"free",
				     "fifo",
				     "lifo",
				     "none",
				     "ticket",
				     "spin",
				     "readers-writer",
				     "readers-writer(WHO READS)",
				     "split=N by ATTRIBUTE"};
enum {
	ORDERS = sizeof orders / sizeof *orders,
	PLAIN_ORDERS = 6 /* so many are enum discipline */
};

static void order_fail(struct parsing *p, const char *value)
{
	const char *near = nearest_name(value, orders, PLAIN_ORDERS);
	char *option;

	if (near) {
		fail(p, "--lock %s: unknown order '%s'; did you mean '%s'?", p->text, value, near);
		return;
	}
	option = text_format("--lock %s", p->text);
	p->wrong = usage_unknown_text(option, "order", orders, ORDERS, value, strlen(value));
	free(option);
}

/* Parses the order. Cuts "=split" off the name of the lock. */
static bool order_part(char *what, const char *value, struct lock_change *c)
{
	static const char split[] = "=split";
	size_t n = strlen(what), length = sizeof split - 1;

	if (n > length && strcmp(what + n - length, split) == 0) {
		what[n - length] = 0;
		if (split_part(value, c))
			return true;
	}
	for (size_t i = 0; i < PLAIN_ORDERS; i++)
		if (strcmp(value, orders[i]) == 0) {
			c->discipline = (enum discipline)i;
			return true;
		}
	c->shared = strcmp(value, "readers-writer") == 0;
	return c->shared || readers_part(value, c);
}

static void lock_add(struct parsing *p)
{
	const char *value;
	char *what = what_part(p, &value);
	struct lock_change c = {.what = what, .exact = p->set->exact};

	if (what && !order_part(what, value, &c))
		order_fail(p, value);
	if (p->wrong)
		free(what);
	else
		*vector_add(&p->set->locks) = c;
}

/* ---- semaphores ---- */

static void slots_add(struct parsing *p)
{
	const char *value;
	char *what = what_part(p, &value), *end = NULL;
	unsigned long n = what ? strtoul(value, &end, 10) : 0;

	if (what && (*end || *value == '-' || n < 1 || n > MOST_SLOTS))
		fail(p, "--slots %s: invalid number of slots '%s' (expected 1 to %d)", what, value,
		     MOST_SLOTS);
	if (p->wrong)
		free(what);
	else
		*vector_add(&p->set->slots) =
		    (struct slot_change){what, p->set->exact, (uint32_t)n};
}

/* ---- teams ---- */

static void threads_add(struct parsing *p)
{
	const char *value;
	char *what = part(p, &value), *end = NULL;
	unsigned long n = what ? strtoul(value, &end, 10) : 0;

	if (!what)
		fail(p, "--threads: '%s' is not GROUP=N", p->text);
	else if (*end || *value == '-' || n < 1 || n > MOST_MEMBERS)
		fail(p, "--threads %s: invalid number of threads '%s' (expected 1 to %d)", what,
		     value, MOST_MEMBERS);
	else
		*vector_add(&p->set->crews) = (struct crew_change){what, (uint32_t)n};
	if (p->wrong)
		free(what);
}

static void schedule_add(struct parsing *p)
{
	const char *value;
	char *what = part(p, &value);
	struct loop_change c = {.what = what};

	if (!what)
		fail(p, "--schedule: '%s' is not LOOP=SCHEDULE", p->text);
	else if (!schedule_parse(value, &c.schedule))
		fail(
		    p,
		    "--schedule %s: invalid schedule '%s' (expected static, dynamic or guided, with an "
		    "optional ,CHUNK)",
		    what, value);
	else
		*vector_add(&p->set->loops) = c;
	if (p->wrong)
		free(what);
}

/* ---- the machine and the replays ---- */

static void cores_add(struct parsing *p)
{
	struct changes *c = &p->set->others;
	char *end;
	unsigned long n = strtoul(p->text, &end, 10);

	c->cores_given = true;
	c->cores = 0;
	if (strcmp(p->text, "inf") == 0)
		return;
	if (*end || n < 1 || n > MOST_PROCESSORS)
		fail(p, "--cores: invalid number of processors '%s' (expected 1 or more, or inf)",
		     p->text);
	c->cores = (unsigned)n;
}

static void queue_add(struct parsing *p)
{
	p->set->others.served = (unsigned)number(p, MOST_REQUESTS);
}

static void slice_add(struct parsing *p)
{
	int64_t *slice = &p->set->others.slice;

	if (!units_parse_time(p->text, slice) || *slice <= 0)
		fail(p, "--slice: invalid time '%s' (expected a time such as 3ms)", p->text);
}

static void seed_add(struct parsing *p)
{
	p->set->others.seed = number(p, ULONG_MAX);
}

static void replays_add(struct parsing *p)
{
	p->set->others.replays = (unsigned)number(p, MOST_REPLAYS);
}

/* ---- all ---- */

static const struct {
	const char *name;
	void (*add)(struct parsing *p);
} options[] = {
    {"speed", speed_add},       {"fix", fix_add},         {"time", time_add},
    {"multiply", multiply_add}, {"io", io_add},           {"io-queue", queue_add},
    {"cores", cores_add},       {"threads", threads_add}, {"schedule", schedule_add},
    {"slice", slice_add},       {"lock", lock_add},       {"hold", hold_add},
    {"replays", replays_add},   {"seed", seed_add},       {"slots", slots_add},
};

char *changes_add(struct change_set *set, const char *option, const char *text, struct diag *diag)
{
	struct parsing p = {set, option, text, diag, NULL};

	for (size_t i = 0; i < sizeof options / sizeof *options; i++)
		if (strcmp(option, options[i].name) == 0) {
			options[i].add(&p);
			return p.wrong;
		}
	return text_format("unrecognized option '--%s'", option);
}

struct changes changes_of(const struct change_set *set)
{
	struct changes c = set->others;

	c.only = NOT_CHANGED;
	c.spans = set->spans.at, c.nspans = (unsigned)set->spans.n;
	c.locks = set->locks.at, c.nlocks = (unsigned)set->locks.n;
	c.slots = set->slots.at, c.nslots = (unsigned)set->slots.n;
	c.team = (struct team_changes){set->crews.at, (unsigned)set->crews.n, set->loops.at,
				       (unsigned)set->loops.n};
	return c;
}
