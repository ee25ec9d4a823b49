#include "bench/forms.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define BOTH "a.x < b.x && a.y < b.y"

static uint32_t scramble(uint64_t x)
{
	x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9;
	x = (x ^ x >> 27) * 0x94d049bb133111eb;
	return (uint32_t)(x >> 33);
}

int form_messages(struct row *row, uint32_t *thread, size_t i, size_t n)
{
	size_t pair = i / 64 * 32 + i % 32;

	(void)n;
	*thread = scramble(pair) % 16;
	if (i % 64 >= 32)
		*thread = (*thread + 1) % 16;
	row->key = (int32_t)pair;
	row->x = (int32_t)(scramble(pair) % 1000);
	row->y = (int32_t)(scramble(pair + 1) % 1000);
	return i % 64 >= 32;
}

/* All of A before all of B, one key. */
static int make_halves(struct row *row, uint32_t *thread, size_t i, size_t n)
{
	bool partner = i >= n / 2;

	*thread = 0;
	row->key = 1;
	row->x = partner ? (int32_t)scramble(i) / 2 : (int32_t)scramble(i);
	row->y = (int32_t)i;
	row->z = (int32_t)scramble(i + n) / 2;
	return partner;
}

/* A and B in turn; half the candidates are great in x, half in y, none in both, and every anchor
 * asks for both. */
static int make_crossed(struct row *row, uint32_t *thread, size_t i, size_t n)
{
	bool partner = i % 2, x = i / 2 % 2;

	(void)n;
	*thread = 0;
	row->key = 1;
	row->x = partner ? (int32_t)(x ? 2000000 + scramble(i) % 1000000 : scramble(i) % 1000)
			 : (int32_t)(1000000 + scramble(i) % 1000);
	row->y = partner ? (int32_t)(x ? scramble(i) % 1000 : 2000000 + scramble(i) % 1000000)
			 : (int32_t)(1000000 + scramble(i) % 1000);
	row->z = (int32_t)scramble(i);
	return partner;
}

/*
 * A and B in turn; what an A asks for is a little less than what a B on a plane has, so that very
 * many meet any one comparison, or two, and few meet all: four in the whole log.
 */
static int make_plane(struct row *row, uint32_t *thread, size_t i, size_t n)
{
	const int32_t all = 1 << 29, below = (int32_t)((double)all * 4 / 3 / sqrt((double)n));
	bool partner = i % 2;

	*thread = 0;
	row->key = 1;
	row->x = (int32_t)(scramble(i) % (uint32_t)all);
	row->y = (int32_t)(scramble(i + n) % (uint32_t)all);
	row->z = 2 * all - row->x - row->y;
	row->x -= partner ? 0 : below;
	row->y -= partner ? 0 : below;
	row->z -= partner ? 0 : below;
	return partner;
}

/*
 * A and B in turn; x rises with the stream, but for some noise. Half of the A ask for what hardly
 * any B has in y and z, the others only for what comes a tenth of the log later: before it lie, in
 * every stretch of y and z, candidates that come early and are too small by little.
 */
static int make_drift(struct row *row, uint32_t *thread, size_t i, size_t n)
{
	const uint32_t all = 1 << 29, below = (uint32_t)((double)all * 2 / sqrt((double)n));
	bool partner = i % 2, rare = i / 2 % 2;

	*thread = 0;
	row->key = 1;
	row->x = (int32_t)(i + scramble(i) % (n / 100 + 1));
	row->y = (int32_t)(scramble(i + n) % all);
	row->z = (int32_t)(scramble(i + 2 * n) % all);
	if (!partner) {
		row->x += rare ? 0 : (int32_t)(n / 10);
		row->y = rare ? (int32_t)(all - below) : 0;
		row->z = rare ? (int32_t)(all - below) : 0;
	}
	return partner;
}

/*
 * The same, and every other B is great in x and small in y and z: so in every stretch of the stream
 * there seems to be what all A ask for. One A in eight asks for what comes later.
 */
static int make_hidden(struct row *row, uint32_t *thread, size_t i, size_t n)
{
	bool partner = make_drift(row, thread, i, n), later = i / 2 % 8 == 0;

	if (partner && i / 2 % 2) {
		row->x = INT32_MAX;
		row->y = row->z = -1;
	} else if (!partner) {
		row->x = (int32_t)(i + (later ? n / 10 : 0));
		row->y = row->z = later ? 0 : INT32_MAX - 1;
	}
	return partner;
}

/* The same on a line, for two comparisons. */
static int make_slope(struct row *row, uint32_t *thread, size_t i, size_t n)
{
	const int32_t all = 1 << 29, below = (int32_t)((double)all * 4 / (double)n);
	bool partner = i % 2;

	*thread = 0;
	row->key = 1;
	row->x = (int32_t)(scramble(i) % (uint32_t)all);
	row->y = all - row->x - (partner ? 0 : below);
	row->x -= partner ? 0 : below;
	row->z = (int32_t)scramble(i + n);
	return partner;
}

/* A and B in turn; what an A has, a B has by half too, but one in both. */
static int make_same(struct row *row, uint32_t *thread, size_t i, size_t n)
{
	bool partner = i % 2, x = i / 2 % 2;

	(void)n;
	*thread = 0;
	row->key = 1;
	row->x = partner && x ? 2 + (int32_t)(scramble(i) % 1000000) : 1;
	row->y = partner && !x ? 2 + (int32_t)(scramble(i) % 1000000) : 1;
	row->z = partner && !x ? 2 : 1;
	return partner;
}

/* Everything at random. */
static int make_random(struct row *row, uint32_t *thread, size_t i, size_t n)
{
	*thread = scramble(i) % 16;
	row->key = (int32_t)(scramble(i + n) % (n / 4 + 1));
	row->x = (int32_t)scramble(i + 2 * n) / 2;
	row->y = (int32_t)scramble(i + 3 * n) / 2;
	row->z = (int32_t)scramble(i + 4 * n) / 2;
	return scramble(i + 5 * n) % 2;
}

/* One thread logs everything but the last event. */
static int make_alone(struct row *row, uint32_t *thread, size_t i, size_t n)
{
	*thread = i + 1 == n;
	row->key = 1;
	row->x = (int32_t)i;
	return i % 2 || i + 1 == n;
}

const struct form forms_worst[] = {
    {"same thread", "[a:A -> b:B]", form_messages},
    {"same thread, backwards", "[a:A <- b:B]", form_messages},
    {"same thread, nested, all open at once", "[a:A -> b:B] nested", make_halves},
    {"equal attribute, threads crossed", "[a:A -> b:B] where a.key == b.key", form_messages},
    {"equal attribute, backwards", "[a:B <- b:A] where a.key == b.key", form_messages},
    {"equal attribute, all the same, once", "[a:A -> b:B] once where a.key == b.key", make_halves},
    {"two attributes of 64 bits and a comparison",
     "[a:A -> b:B] where a.key == b.key && a.time + a.x == a.x + a.time && a.x <= b.x",
     form_messages},
    {"one comparison, never met", "[a:A -> b:B] where a.x < b.z && a.x > b.x", make_halves},
    {"one comparison, once", "[a:A -> b:B] once where a.x < b.x", make_halves},
    {"one comparison, once, backwards", "[a:B <- b:A] once where a.x < b.x", make_halves},
    {"one comparison, nested", "[a:A -> b:B] nested where a.x < b.x", make_halves},
    {"within a time", "[a:A -> b:B] where b.time - a.time < 1 us && a.thread != b.thread",
     make_alone},
    {"another thread", "[a:A -> b:B] where a.thread != b.thread", make_alone},
    {"another thread, once", "[a:A -> b:B] once where a.thread != b.thread", make_alone},
    {"equal attribute and both greater", "[a:A -> b:B] where a.key == b.key && " BOTH, make_slope},
    {"equal attribute and both greater, once", "[a:A -> b:B] once where a.key == b.key && " BOTH,
     make_slope},
    {"both greater", "[a:A -> b:B] where " BOTH, make_slope},
    {"both greater, backwards", "[a:A <- b:B] where " BOTH, make_slope},
    {"both greater, crossed", "[a:A -> b:B] where " BOTH, make_crossed},
    {"between two", "[a:A -> b:B] where a.x < b.x && a.y + 1000000 > b.x", make_crossed},
    {"both greater, once", "[a:A -> b:B] once where " BOTH, make_slope},
    {"both greater, once, backwards", "[a:A <- b:B] once where " BOTH, make_slope},
    {"both greater, nested", "[a:B -> b:A] nested where a.x > b.x && a.y > b.y", make_slope},
    {"greater and different", "[a:A -> b:B] where a.x < b.x && a.key != b.z", make_same},
    {"two differ", "[a:A -> b:B] where a.x != b.x && a.y != b.y", make_same},
    {"two differ, once", "[a:A -> b:B] once where a.x != b.x && a.y != b.y", make_same},
    {"three comparisons", "[a:A -> b:B] where " BOTH " && a.z < b.z", make_plane},
    {"three comparisons, once", "[a:A -> b:B] once where " BOTH " && a.z < b.z", make_plane},
    {"three comparisons, nested", "[a:B -> b:A] nested where a.x > b.x && a.y > b.y && a.z > b.z",
     make_plane},
    {NULL, NULL, NULL},
};

const struct form forms_unbounded[] = {
    {"three comparisons, drifting", "[a:A -> b:B] where " BOTH " && a.z < b.z", make_drift},
    {"three comparisons, drifting, once", "[a:A -> b:B] once where " BOTH " && a.z < b.z",
     make_drift},
    {"both greater, hidden, once", "[a:A -> b:B] once where " BOTH, make_hidden},
    {"three comparisons, hidden", "[a:A -> b:B] where " BOTH " && a.z < b.z", make_hidden},
    {"three comparisons, hidden, once", "[a:A -> b:B] once where " BOTH " && a.z < b.z",
     make_hidden},
    {NULL, NULL, NULL},
};

const struct form forms_random[] = {
    {"same thread", "[a:A -> b:B]", make_random},
    {"equal attribute", "[a:A -> b:B] where a.key == b.key", make_random},
    {"equal attribute, backwards", "[a:A <- b:B] where a.key == b.key", make_random},
    {"equal attribute, once", "[a:A -> b:B] once where a.key == b.key", make_random},
    {"equal attribute, nested", "[a:A -> b:B] nested where a.key == b.key", make_random},
    {"equal attribute, another thread", "[a:A -> b:B] where a.key == b.key && a.thread != b.thread",
     make_random},
    {"equal attribute and a comparison", "[a:A -> b:B] where a.key == b.key && a.x < b.x",
     make_random},
    {"a comparison", "[a:A -> b:B] where a.x < b.x", make_random},
    {"a comparison, backwards", "[a:A <- b:B] where a.x < b.x", make_random},
    {"a comparison, once", "[a:A -> b:B] once where a.x < b.x", make_random},
    {"a comparison, nested", "[a:A -> b:B] nested where a.x < b.x", make_random},
    {"two comparisons", "[a:A -> b:B] where " BOTH, make_random},
    {"two comparisons, once", "[a:A -> b:B] once where " BOTH, make_random},
    {"two comparisons, nested", "[a:A -> b:B] nested where " BOTH, make_random},
    {"three comparisons", "[a:A -> b:B] where " BOTH " && a.z < b.z", make_random},
    {"three comparisons, once", "[a:A -> b:B] once where " BOTH " && a.z < b.z", make_random},
    {"three comparisons, nested", "[a:A -> b:B] nested where " BOTH " && a.z < b.z", make_random},
    {NULL, NULL, NULL},
};

struct spec *form_spec(const char *interval)
{
	struct diag diag = {.program = "bench"};
	char text[600];

	snprintf(text, sizeof text,
		 "glimpse bench event A(key, x, y, z); event B(key, x, y, z); interval I %s; end",
		 interval);
	return spec_parse("bench.spec", text, &diag);
}

void made_init(struct made *m, const struct spec *spec, const struct form *form, size_t n)
{
	uint64_t *ranks[2] = {malloc(n * sizeof *ranks[0]), malloc(n * sizeof *ranks[1])};
	struct event *events[2] = {malloc(n * sizeof(struct event)),
				   malloc(n * sizeof(struct event))};

	memset(m, 0, sizeof *m);
	m->rows = calloc(n, sizeof *m->rows);
	m->trace = (struct trace){.spec = spec, .threads = m->threads, .nthreads = 16};
	for (uint32_t i = 0; i < 16; i++)
		m->threads[i] = (struct trace_thread){.number = i, .name = "thread"};
	for (int type = 0; type < 2; type++)
		m->moments[type] = (struct moments){
		    .trace = &m->trace, .events = events[type], .ranks = ranks[type]};
	for (size_t i = 0; i < n; i++) {
		uint32_t thread;
		int type = form->make(&m->rows[i], &thread, i, n);
		struct moments *to = &m->moments[type];

		ranks[type][to->count] = i;
		events[type][to->count++] = (struct event){
		    .time = (int64_t)i * 100,
		    .type = spec->events[type],
		    .record = (const unsigned char *)&m->rows[i],
		    .thread = thread,
		};
	}
}

void made_clear(struct made *m)
{
	for (int type = 0; type < 2; type++) {
		free((void *)m->moments[type].events);
		free((void *)m->moments[type].ranks);
	}
	free(m->rows);
}

double made_now(clockid_t clock)
{
	struct timespec t;

	clock_gettime(clock, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

double made_match(const struct spec *spec, const struct made *m, clockid_t clock)
{
	const struct interval *interval = spec->intervals[0];
	double begin = made_now(clock);

	matches_free(match_moments(interval, m->moments[interval->anchor.event->index],
				   m->moments[interval->partner.event->index]));
	return made_now(clock) - begin;
}

double made_match_alone(const struct spec *spec, const struct made *m)
{
	double took = 0;
	int ends[2];
	pid_t child;

	if (pipe(ends) != 0 || (child = fork()) < 0) {
		perror("bench");
		exit(2);
	}
	if (child == 0) {
		took = made_match(spec, m, CLOCK_PROCESS_CPUTIME_ID);
		_exit(write(ends[1], &took, sizeof took) != sizeof took);
	}
	close(ends[1]);
	if (read(ends[0], &took, sizeof took) != sizeof took)
		exit(2);
	close(ends[0]);
	waitpid(child, NULL, 0);
	return took;
}
