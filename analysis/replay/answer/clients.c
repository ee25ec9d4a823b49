#include "analysis/replay/answer/clients.h"
#include "base/hash.h"
#include <math.h>
#include <stdlib.h>

/* Fewer pairs say nothing; nor do they where the server hardly ever waits. */
enum { LEAST_PAIRS = 20 };
static const double least_waits = 0.05;
/* The slope is off by more than so many standard errors in one of twenty runs. */
static const double sure = 2;
/*
 * Between the slopes of closed and open clients, as a part of the latter. It is less than half: in
 * the slope, long services count most, which few gaps follow.
 */
static const double apart = 1.0 / 3;
/* If the client of more requests is not known, those of a thread say nothing. */
static const double most_unknown = 0.1;

const char *clients_kind_name(enum clients_kind k)
{
	static const char *const names[] = {[CLIENTS_NONE] = "none",
					    [CLIENTS_UNKNOWN] = "unknown",
					    [CLIENTS_CLOSED] = "closed",
					    [CLIENTS_OPEN] = "open"};

	return names[k];
}

/* ---- the decision ---- */

/* Takes the mean of each client off its pairs: a slow client has other gaps for other reasons. */
static void means_remove(struct request_pair *pairs, size_t n)
{
	for (size_t i = 0, end; i < n; i = end) {
		double service = 0, gap = 0;

		for (end = i; end < n && pairs[end].client == pairs[i].client; end++) {
			service += pairs[end].service;
			gap += pairs[end].gap;
		}
		for (size_t k = i; k < end; k++) {
			pairs[k].service -= service / (double)(end - i);
			pairs[k].gap -= gap / (double)(end - i);
		}
	}
}

/* Gaps scatter more after some services than after others: so the errors of each pair count. */
static void slope_find(struct clients *c, const struct request_pair *pairs, size_t n)
{
	double squares = 0, products = 0, errors = 0;

	for (size_t i = 0; i < n; i++) {
		squares += pairs[i].service * pairs[i].service;
		products += pairs[i].service * pairs[i].gap;
	}
	c->error = INFINITY;
	if (squares <= 0)
		return;
	c->slope = products / squares;
	for (size_t i = 0; i < n; i++) {
		double error = pairs[i].service * (pairs[i].gap - c->slope * pairs[i].service);

		errors += error * error;
	}
	c->error = sqrt(errors) / squares;
}

void clients_decide(struct clients *c, const struct request_pair *pairs, size_t n)
{
	struct request_pair *centred = array_new(n, sizeof *centred);
	size_t waited = 0;

	for (size_t i = 0; i < n; i++) {
		centred[i] = pairs[i];
		waited += pairs[i].gap > 0;
	}
	c->kind = CLIENTS_UNKNOWN;
	c->pairs = n;
	c->waits = n ? (double)waited / (double)n : 0;
	means_remove(centred, n);
	slope_find(c, centred, n);
	free(centred);
	if (n < LEAST_PAIRS || c->waits < least_waits)
		return;
	if (c->slope - sure * c->error > -c->waits * apart)
		c->kind = CLIENTS_CLOSED;
	else if (c->slope + sure * c->error < -c->waits * apart)
		c->kind = CLIENTS_OPEN;
}

/* ---- the requests of a run ---- */

struct served_request {
	int64_t begin, end;
	int64_t waited;  /* for it, since the end of the one before in its thread */
	uint32_t object; /* that the wait was for; NO_LOCK: there was no wait, or it is not known */
};

typedef VECTOR(struct served_request) request_list;

struct clients_search {
	const struct prediction *prediction;
	const struct latencies *latencies;
	request_list requests; /* of one thread */
	VECTOR(struct request_pair) pairs;
	struct hash_table objects; /* that requests came by */
	uint32_t client;
	double idle, all;
};

static bool is_idle(const struct graph *g, const struct stretch *s)
{
	return s->activity == ACTIVITY_WAITING && s->role != NO_ROLE &&
	       g->waits[s->role].interval->idle && s->cause_thread == NO_THREAD;
}

bool *clients_served(const struct prediction *p)
{
	const struct graph *g = p->model->graph;
	bool *served = array_zero(g->trace->nthreads, sizeof *served), any = false;

	for (uint32_t t = 0; t < g->trace->nthreads; t++) {
		for (size_t i = 0; i < g->threads[t].n && !served[t]; i++)
			served[t] = is_idle(g, &g->threads[t].stretches[i]);
		any |= served[t];
	}
	if (any)
		return served;
	free(served);
	return NULL;
}

/* Lists the instances that a thread has from their beginning to their end, but for inner ones. */
static void requests_list(struct clients_search *s, uint32_t thread, size_t *at)
{
	const struct latencies *l = s->latencies;
	const struct instance_end *open = NULL;

	s->requests.n = 0;
	for (; *at < l->ends.n && l->ends.at[*at].thread == thread; ++*at) {
		const struct instance_end *e = &l->ends.at[*at];

		if (!open && !e->last) {
			open = e;
		} else if (open && e->last && e->instance == open->instance) {
			*vector_add(&s->requests) = (struct served_request){
			    .begin = open->time, .end = e->time, .object = NO_LOCK};
			open = NULL;
		}
	}
}

/* Finds how long the thread waited for each request, and the object of that wait. */
static void waits_find(struct clients_search *s, uint32_t thread)
{
	const struct model *m = s->prediction->model;
	const struct timeline *l = &m->graph->threads[thread];
	size_t k = 0;

	for (size_t i = 0; i < l->n && k < s->requests.n; i++) {
		int64_t from = l->stretches[i].from, to = stretch_end(l, i);
		struct served_request *r;

		if (!is_idle(m->graph, &l->stretches[i]))
			continue;
		while (k < s->requests.n && s->requests.at[k].begin < to)
			k++;
		if (k == s->requests.n)
			break;
		r = &s->requests.at[k];
		if (k && s->requests.at[k - 1].end > from)
			from = s->requests.at[k - 1].end;
		r->waited += to > from ? to - from : 0;
		r->object = model_wait_object(m, thread, l->stretches[i].from);
	}
}

/* The thread's time is from its first request to its last. */
static void idle_add(struct clients_search *s)
{
	const struct served_request *first = &s->requests.at[0], *last = first + s->requests.n - 1;

	for (size_t i = 1; i < s->requests.n; i++)
		s->idle += (double)s->requests.at[i].waited;
	s->all += (double)(last->end - first->begin);
}

static void objects_add(struct clients_search *s)
{
	for (size_t i = 0; i < s->requests.n; i++)
		if (s->requests.at[i].object != NO_LOCK)
			hash_table_number(&s->objects, hash_mix(s->requests.at[i].object), 0,
					  s->objects.nkeys);
}

/* All requests of the thread are of one client, or come in one order: it waits where it waits. */
static void pairs_of_thread(struct clients_search *s)
{
	s->client++;
	for (size_t i = 0; i + 1 < s->requests.n; i++) {
		const struct served_request *r = &s->requests.at[i];
		double gap = (double)r[1].waited;

		*vector_add(&s->pairs) =
		    (struct request_pair){(double)(r[1].begin - r->begin) - gap, gap, s->client};
	}
}

static int by_client(const void *a, const void *b)
{
	const struct served_request *x = a, *y = b;

	if (x->object != y->object)
		return x->object < y->object ? -1 : 1;
	return (x->begin > y->begin) - (x->begin < y->begin);
}

/* From an answer to the next request of the same client. */
static void pairs_of_clients(struct clients_search *s)
{
	qsort(s->requests.at, s->requests.n, sizeof *s->requests.at, by_client);
	for (size_t i = 0; i + 1 < s->requests.n; i++) {
		const struct served_request *r = &s->requests.at[i];

		s->client += !i || r->object != r[-1].object;
		if (r->object != NO_LOCK && r->object == r[1].object)
			*vector_add(&s->pairs) = (struct request_pair){
			    (double)(r->end - r->begin), (double)(r[1].begin - r->end), s->client};
	}
}

static void pairs_add(struct clients_search *s)
{
	size_t unknown = 0;
	bool several = false;
	uint32_t object = NO_LOCK;

	for (size_t i = 1; i < s->requests.n; i++) {
		uint32_t next = s->requests.at[i].object;

		unknown += next == NO_LOCK;
		several |= object != NO_LOCK && next != NO_LOCK && next != object;
		object = next != NO_LOCK ? next : object;
	}
	if (!several)
		pairs_of_thread(s);
	else if ((double)unknown <= most_unknown * (double)s->requests.n)
		pairs_of_clients(s);
}

/*
 * If the instances begin where the waits end, one that follows another without a wait is not seen.
 * Then the waits that are left over may be as long after every service, also of open clients.
 */
static bool begin_with_waits(const struct graph *g, const struct latencies *l)
{
	for (unsigned i = 0; i < g->nwaits; i++)
		if (g->waits[i].interval->idle && g->waits[i].end.event == l->begins)
			return true;
	return false;
}

struct clients clients_of(const struct prediction *p, const struct latencies *l)
{
	struct clients_search s = {.prediction = p, .latencies = l};
	struct clients c = {.kind = CLIENTS_NONE};
	bool *served = clients_served(p);
	size_t at = 0;

	if (!served)
		return c;
	for (uint32_t t = 0; t < p->model->trace->nthreads; t++) {
		requests_list(&s, t, &at);
		if (!served[t] || !s.requests.n)
			continue;
		waits_find(&s, t);
		idle_add(&s);
		objects_add(&s);
		pairs_add(&s);
	}
	clients_decide(&c, s.pairs.at, s.pairs.n);
	if (c.kind == CLIENTS_CLOSED && begin_with_waits(p->model->graph, l))
		c.kind = CLIENTS_UNKNOWN;
	c.connections = s.objects.nkeys;
	c.idle = s.all > 0 ? s.idle / s.all : 0;
	free(served);
	free(s.requests.at);
	free(s.pairs.at);
	hash_table_free(&s.objects);
	return c;
}
