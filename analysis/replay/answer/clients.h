/*
 * Finds whether the clients of a server are closed or open. A closed client sends its next request
 * some time after the answer. Requests of open clients come by time, whatever the server does.
 *
 * The server serves a request for a time S, and then waits for the next one for a time G. G is 0 if
 * that has come meanwhile. Closed: G is the client's own time, and does not depend on S. Open: the
 * next request comes X after the server began with this one, and X does not depend on S. So
 * G = max(0, X - S), and the slope of its mean over S is -P(X > S): minus the share w of requests
 * that the server waits for. The slope is measured; it is clearly above -w/3, or clearly below.
 */
#ifndef GLIMPSE_ANALYSIS_REPLAY_ANSWER_CLIENTS_H
#define GLIMPSE_ANALYSIS_REPLAY_ANSWER_CLIENTS_H

#include "analysis/replay/answer/latencies.h"

enum clients_kind {
	CLIENTS_NONE,    /* no thread waits for work from outside */
	CLIENTS_UNKNOWN, /* too few requests, or all of one length; or it is not known whose */
	CLIENTS_CLOSED,
	CLIENTS_OPEN,
};

/* A request, and the next one of the same client. */
struct request_pair {
	double service, gap; /* ns */
	uint32_t client;     /* a number: pairs of one client follow each other */
};

struct clients {
	enum clients_kind kind;
	bool asked;         /* --clients says it */
	size_t connections; /* that requests came by; 0: not known */
	size_t pairs;
	/* of the gap over the service time, how far it may be off, and the share of gaps above 0 */
	double slope, error, waits;
	double idle; /* share of the time in which the serving threads wait for requests */
};

/* Of an answer about a server. */
struct service {
	struct latencies *latencies; /* NULL: nobody asks for them */
	struct clients clients;
};

/* Measures the slope, and decides. The pairs are of closed clients, of open ones, or of both. */
void clients_decide(struct clients *c, const struct request_pair *pairs, size_t n);

/* Finds the clients of a run by its requests: the instances whose latencies are asked for. */
struct clients clients_of(const struct prediction *p, const struct latencies *l);
/*
 * Returns by thread of the trace whether it waits for work from outside; NULL: none does. The
 * caller frees it.
 */
bool *clients_served(const struct prediction *p);
/* Returns "none", "unknown", "closed", "open". */
const char *clients_kind_name(enum clients_kind k);

#endif
