/*
 * Runs a web server for one user of this machine. It listens on the loopback address, on a free
 * port, and answers browsers that came with an invitation; it refuses requests of all others, by
 * another host name, or from another site's page (admission.h). It serves what the handler returns,
 * never a file.
 */
#ifndef GLIMPSE_VIEWERS_WEB_SERVER_H
#define GLIMPSE_VIEWERS_WEB_SERVER_H

#include "grammar/diag.h"
#include <stdbool.h>
#include <stddef.h>

struct server;

struct http_request {
	const char *path; /* without a slash before it */
	bool post;
	const char *body; /* of a POST, NUL-terminated; else "" */
	void *values;     /* for http_value() */
};

/* Returns the decoded value of "name=value" in the URL, or NULL. */
const char *http_value(const struct http_request *a, const char *name);
/* Returns the name of the i-th of them and sets *text to its value, ""; NULL after the last. */
const char *http_value_at(const struct http_request *a, size_t i, const char **text);

/* Returns a copy, for those who need the request longer than its answer takes. */
struct http_request *http_request_copy(const struct http_request *a);
void http_request_free(struct http_request *a);

struct reply {
	unsigned status;
	const char *type; /* "application/json"; static */
	char *body;       /* from malloc(); the server frees it */
	size_t size;
	/* what a page may load and run; NULL: nothing; freed, too */
	char *policy;
	bool framed; /* it may be a frame in another page of this server */
};

/* Answers a request; several at a time are answered, each by a thread of its own. */
typedef struct reply (*server_handler)(void *context, const struct http_request *a);

/* Starts the server. Returns NULL, and diag is told, if that fails. */
struct server *server_start(server_handler handler, void *context, struct diag *diag);
/*
 * Makes an address that lets one browser in, once, for the caller to free. Returns NULL if the
 * system gives no random numbers.
 */
char *server_invite(struct server *s);
/* Tells whether nobody has come by that address yet. */
bool server_awaits(struct server *s, const char *address);
/*
 * Returns how many connections of admitted browsers are open. A browser keeps one as long as it
 * asks now and then.
 */
unsigned server_connections(const struct server *s);
void server_stop(struct server *s);

#endif
