#include "tests/random.h"
#include "base/array.h"
#include "spec/layout.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint64_t random_word(struct random *r, unsigned domain)
{
	static const uint64_t extremes[] = {
	    0,
	    1,
	    UINT64_MAX,
	    INT64_MAX,
	    (uint64_t)1 << 63,
	    INT32_MAX,
	    (uint64_t)1 << 31,
	    UINT32_MAX,
	    (uint64_t)1 << 53,
	    ((uint64_t)1 << 53) + 1,
	};

	if (random_chance(r, 5))
		return extremes[random_below(r, sizeof extremes / sizeof *extremes)];
	return random_below(r, domain) - (uint64_t)random_chance(r, 10);
}

static double random_real(struct random *r, unsigned domain)
{
	static const double extremes[] = {-0.0,	 0.0,	 INFINITY, -INFINITY,
					  1e300, 0x1p53, 0x1p64,   5e-324};

	if (random_chance(r, 5))
		return NAN;
	if (random_chance(r, 10))
		return extremes[random_below(r, sizeof extremes / sizeof *extremes)];
	return random_below(r, domain) / (random_chance(r, 30) ? 2.0 : 1.0);
}

/* Appends a string as a record has it: its length, its bytes, zeros up to a multiple of 4. */
static size_t put_string(struct random *r, unsigned char *at, unsigned domain)
{
	static const char *const words[] = {
	    "a", "", "b", "\xff\x80", "B", "ab", "thread 1", "a longer word", "aa", "abcdefgh", "é",
	};
	enum { WORDS = sizeof words / sizeof *words };
	const char *word = words[random_below(r, domain < WORDS ? domain : WORDS)];
	uint32_t length = (uint32_t)strlen(word);

	memcpy(at, &length, 4);
	memset(at + 4, 0, (length + 3) / 4 * 4);
	memcpy(at + 4, word, length);
	return 4 + (length + 3) / 4 * 4;
}

static unsigned char *random_record(struct random *r, const struct event_type *type,
				    unsigned domain)
{
	unsigned char *record = calloc(1, type->fixed_size + type->nstrings * 32 + 1), *end;

	end = record + type->fixed_size;
	for (unsigned i = 0; i < type->nattributes; i++) {
		const struct attribute *a = &type->attributes[i];
		uint64_t word = random_word(r, domain);
		double real = random_real(r, domain);

		if (a->type == TYPE_STRING)
			end += put_string(r, end, domain);
		else
			memcpy(record + a->offset,
			       a->type == TYPE_DOUBLE ? (void *)&real : (void *)&word,
			       type_size(a->type));
	}
	return record;
}

static int compare_events(const void *a, const void *b)
{
	const struct event *x = a, *y = b;

	if (x->time != y->time)
		return x->time < y->time ? -1 : 1;
	if (x->thread != y->thread)
		return x->thread < y->thread ? -1 : 1;
	return (x->seq > y->seq) - (x->seq < y->seq);
}

static void name_threads(struct log *l, unsigned n)
{
	static const char *const names[] = {"a", "thread 1", "b", "a", ""};

	l->threads = calloc(n, sizeof *l->threads);
	for (unsigned i = 0; i < n; i++) {
		l->threads[i].number = i;
		l->threads[i].name = names[i % 5];
		l->threads[i].directory = i / 2;
	}
	l->trace.threads = l->threads;
	l->trace.nthreads = n;
}

struct log *random_log(struct random *r, const struct spec *spec, size_t n)
{
	struct log *l = calloc(1, sizeof *l);
	unsigned nthreads = 1 + random_below(r, 5),
		 domain = 1 + random_below(r, random_chance(r, 70) ? 5 : random_chance(r, 70) ? 50 : 1000);
	int64_t *clock = calloc(nthreads, sizeof *clock);
	uint64_t *seq = calloc(nthreads, sizeof *seq);

	l->trace.spec = spec;
	name_threads(l, nthreads);
	l->events = calloc(n ? n : 1, sizeof *l->events);
	for (l->n = 0; l->n < n; l->n++) {
		struct event *e = &l->events[l->n];

		e->thread =
		    random_below(r, nthreads > 1 && random_chance(r, 50) ? nthreads - 1 : nthreads);
		e->type = spec->events[random_below(r, spec->nevents)];
		e->time = clock[e->thread] += random_chance(r, 40) ? 0 : random_below(r, 4);
		e->seq = seq[e->thread]++;
		e->record = random_record(r, e->type, domain);
	}
	qsort(l->events, n, sizeof *l->events, compare_events);
	free(clock);
	free(seq);
	return l;
}

void log_free(struct log *l)
{
	for (size_t i = 0; i < l->n; i++)
		free((void *)l->events[i].record);
	free(l->events);
	free(l->threads);
	free(l);
}

static void print_value(struct value v)
{
	switch (v.kind) {
	case VALUE_REAL:
		printf("%.17g", v.real);
		break;
	case VALUE_STRING:
		printf("\"%.*s\"", (int)v.string.length, v.string.bytes);
		break;
	default:
		if (v.integer < 0)
			printf("%lld", (long long)v.integer);
		else
			printf("%llu", (unsigned long long)v.integer);
	}
}

void log_print(const struct log *l)
{
	for (size_t i = 0; i < l->n; i++) {
		const struct event *e = &l->events[i];

		printf("# %zu: time %lld thread %u %s(", i, (long long)e->time, e->thread,
		       e->type->name);
		for (unsigned k = 0; k < e->type->nattributes; k++) {
			fputs(k ? ", " : "", stdout);
			print_value(record_value(e->type, k, e->record));
		}
		puts(")");
	}
}

struct moments log_moments(const struct log *l, const struct event_type *type)
{
	struct event *events = array_new(l->n, sizeof *events);
	uint64_t *ranks = array_new(l->n, sizeof *ranks);
	struct moments m = {.trace = &l->trace, .events = events, .ranks = ranks};

	for (size_t i = 0; i < l->n; i++)
		if (l->events[i].type == type) {
			events[m.count] = l->events[i];
			ranks[m.count++] = i;
		}
	return m;
}

void log_moments_free(struct moments *m)
{
	free((void *)m->events);
	free((void *)m->ranks);
}

uint64_t random_number_from(const char *name, uint64_t otherwise)
{
	const char *text = getenv(name);

	return text && *text ? strtoull(text, NULL, 0) : otherwise;
}
