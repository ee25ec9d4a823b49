/* Random specifications and the traces that go with them, in memory. */
#ifndef GLIMPSE_TESTS_TRACE_RANDOM_H
#define GLIMPSE_TESTS_TRACE_RANDOM_H

#include "match/join/match.h"

struct random {
	uint64_t state;
};

static inline uint64_t random_next(struct random *r)
{
	uint64_t x = (r->state += 0x9e3779b97f4a7c15);

	x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9;
	x = (x ^ x >> 27) * 0x94d049bb133111eb;
	return x ^ x >> 31;
}

/* Below n. */
static inline unsigned random_below(struct random *r, unsigned n)
{
	return (unsigned)(random_next(r) % n);
}

static inline bool random_chance(struct random *r, unsigned percent)
{
	return random_below(r, 100) < percent;
}

/* The text of a specification with a few event types and the one interval I; to be freed. */
char *random_spec(struct random *r);
/*
 * The same with up to three intervals I0, I1, I2: by equalities, within a time, over one another, with metrics; what
 * a database finds without comparing all with all.
 */
char *random_keyed_spec(struct random *r);

/* Events of a trace, in the order of the stream; their records are owned by the log. */
struct log {
	struct event *events;
	size_t n;
	struct trace trace;
	struct trace_thread *threads;
};

struct log *random_log(struct random *r, const struct spec *spec, size_t n);
void log_free(struct log *l);
void log_print(const struct log *l);

/* The events of a type as the moments of an end; log_moments_free() frees them. */
struct moments log_moments(const struct log *l, const struct event_type *type);
void log_moments_free(struct moments *m);

/* Returns the number in an environment variable; otherwise: where it has none. */
uint64_t random_number_from(const char *name, uint64_t otherwise);

#endif
