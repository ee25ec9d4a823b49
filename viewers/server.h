/*
 * A web server for one user of this machine. It listens on the loopback address, on a free port,
 * and refuses requests without the token of its URL, by another host name, or from another site's
 * page. It serves what the handler returns, never a file.
 */
#ifndef GLIMPSE_VIEWERS_SERVER_H
#define GLIMPSE_VIEWERS_SERVER_H

#include "grammar/diag.h"
#include <stdbool.h>
#include <stddef.h>

struct server;

struct http_request {
	const char *path;               /* what follows the token, without a slash before it */
	bool post;
	const char *body;               /* of a POST, NUL-terminated; else "" */
	void *values;                   /* for http_value() */
};

/* Returns the decoded value of "name=value" in the URL, or NULL. */
const char *http_value(const struct http_request *a, const char *name);

struct reply {
	unsigned status;
	const char *type;               /* "application/json"; static */
	char *body;                     /* from malloc(); the server frees it */
	size_t size;
};

/* Answers a request; several at a time are answered, each by a thread of its own. */
typedef struct reply (*server_handler)(void *context, const struct http_request *a);

/* Starts the server. Returns NULL, and diag is told, if that fails. */
struct server *server_start(server_handler handler, void *context, struct diag *diag);
/* Returns "http://127.0.0.1:PORT/TOKEN/". */
const char *server_url(const struct server *s);
/* Returns how many connections are open. A browser keeps one as long as it asks now and then. */
unsigned server_connections(const struct server *s);
void server_stop(struct server *s);

#endif
