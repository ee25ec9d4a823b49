#include "viewers/web/server.h"
#include "base/array.h"
#include "viewers/web/admission.h"
#include "viewers/web/leading_page.h"
#include <arpa/inet.h>
#include <errno.h>
#include <microhttpd.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { MOST_BODY = 1 << 20 };
/*
 * Seconds in which a connection says something: after one of its requests was let in, and before.
 */
enum { PATIENCE = 120, IMPATIENCE = 10 };
/*
 * A browser keeps six connections. Where there are more than KEPT each ends with its answer, so
 * that idle ones keep no other out; more than MOST are told to come back, at most TOLD at a time.
 * Of connections that were not let in, more than STRANGERS end the one that has been longest.
 */
enum { KEPT = 64, MOST_CONNECTIONS = 512, TOLD = 64, STRANGERS = 64 };

struct web_connection {
	enum { STRANGER, KNOWN, ENDED } is;
	MHD_socket socket;
	struct web_connection *next; /* of strangers, in the order in which they came */
};

struct server {
	struct MHD_Daemon *daemon;
	atomic_uint known; /* connections that were let in */
	server_handler handler;
	void *context;
	struct admission *admission;
	pthread_mutex_t lock; /* of the strangers */
	struct web_connection *strangers;
	unsigned nstrangers;
};

/* What has come of the body of a POST. */
struct body {
	char *text;
	size_t size;
	bool too_long;
};

/* "name=value" in a URL, or several of them; text may be NULL. */
struct query_parameter {
	char *name, *text;
	struct query_parameter *next;
};

const char *http_value(const struct http_request *a, const char *name)
{
	for (const struct query_parameter *v = a->values; v; v = v->next)
		if (!strcmp(v->name, name))
			return v->text;
	return NULL;
}

const char *http_value_at(const struct http_request *a, size_t i, const char **text)
{
	const struct query_parameter *v = a->values;

	while (v && i--)
		v = v->next;
	if (!v)
		return NULL;
	*text = v->text ? v->text : "";
	return v->name;
}

static void value_add(struct query_parameter **list, const char *name, const char *text)
{
	struct query_parameter *new = array_zero(1, sizeof *new);

	new->name = text_format("%s", name);
	new->text = text ? text_format("%s", text) : NULL;
	while (*list)
		list = &(*list)->next;
	*list = new;
}

static enum MHD_Result value_take(void *context, enum MHD_ValueKind kind, const char *name,
				  const char *text)
{
	(void)kind;
	if (name)
		value_add(context, name, text);
	return MHD_YES;
}

static void values_free(struct query_parameter *list)
{
	while (list) {
		struct query_parameter *next = list->next;

		free(list->name);
		free(list->text);
		free(list);
		list = next;
	}
}

struct http_request *http_request_copy(const struct http_request *a)
{
	struct http_request *copy = array_zero(1, sizeof *copy);
	struct query_parameter *values = NULL;

	for (const struct query_parameter *v = a->values; v; v = v->next)
		value_add(&values, v->name, v->text);
	*copy = (struct http_request){.path = text_format("%s", a->path),
				      .post = a->post,
				      .body = text_format("%s", a->body),
				      .values = values};
	return copy;
}

void http_request_free(struct http_request *a)
{
	free((char *)a->path);
	free((char *)a->body);
	values_free(a->values);
	free(a);
}

static const struct {
	const char *name, *value;
} headers[] = {
    {"Cache-Control", "no-store"},
    {"Cross-Origin-Resource-Policy", "same-origin"},
    {"Referrer-Policy", "no-referrer"},
    {"X-Content-Type-Options", "nosniff"},
};

static void add_headers(struct MHD_Response *response, const struct reply *r)
{
	char *policy = text_format("default-src 'none'; base-uri 'none'; form-action 'none'; "
				   "frame-ancestors %s%s%s",
				   r->framed ? "'self'" : "'none'", r->policy ? "; " : "",
				   r->policy ? r->policy : "");

	for (size_t i = 0; i < sizeof headers / sizeof *headers; i++)
		MHD_add_response_header(response, headers[i].name, headers[i].value);
	MHD_add_response_header(response, "Content-Security-Policy", policy);
	MHD_add_response_header(response, "Content-Type", r->type);
	if (r->status == MHD_HTTP_SERVICE_UNAVAILABLE)
		MHD_add_response_header(response, "Retry-After", "1");
	free(policy);
}

/* Makes a response of a reply, whose body and policy it takes. */
static struct MHD_Response *response_new(const struct reply *r)
{
	struct MHD_Response *response =
	    MHD_create_response_from_buffer(r->size, r->body, MHD_RESPMEM_MUST_FREE);

	add_headers(response, r);
	free(r->policy);
	return response;
}

/* Sends a response, and gives it up. */
static enum MHD_Result response_send(struct MHD_Connection *c, unsigned status,
				     struct MHD_Response *response)
{
	enum MHD_Result result = MHD_queue_response(c, status, response);

	MHD_destroy_response(response);
	return result;
}

static enum MHD_Result answer(const struct server *s, struct MHD_Connection *c,
			      const struct reply *r)
{
	struct MHD_Response *response = response_new(r);

	if (server_connections(s) > KEPT || r->status == MHD_HTTP_FORBIDDEN)
		MHD_add_response_header(response, "Connection", "close");
	return response_send(c, r->status, response);
}

static enum MHD_Result server_refuse(const struct server *s, struct MHD_Connection *c,
				     unsigned status, const char *why)
{
	struct reply r = {.status = status,
			  .type = "text/plain; charset=utf-8",
			  .body = text_format("%s\n", why)};

	r.size = strlen(r.body);
	return answer(s, c, &r);
}

static void add_cookie(struct MHD_Response *response, const struct admission *a, const char *path)
{
	char *cookie = admission_cookie(a, path);

	MHD_add_response_header(response, "Set-Cookie", cookie);
	free(cookie);
}

/*
 * Answers with a page that leads on. Redirections would be taken for requests of whoever led here,
 * to which a browser adds no cookie.
 */
static enum MHD_Result welcome(const struct server *s, struct MHD_Connection *c, const char *url,
			       bool with_cookie)
{
	const char *path = admission_path(s->admission);
	struct reply r = {.status = MHD_HTTP_OK, .type = "text/html; charset=utf-8"};
	struct MHD_Response *response;

	r.body = leading_page(path);
	r.size = strlen(r.body);
	response = response_new(&r);
	if (with_cookie) {
		add_cookie(response, s->admission, path);
		/* Who opens the invitation again in the same browser is led on, too. */
		add_cookie(response, s->admission, url);
	}
	return response_send(c, r.status, response);
}

/* ---- connections ---- */

/* Takes a connection off the list of strangers; under the lock. */
static void strangers_remove(struct server *s, struct web_connection *c)
{
	struct web_connection **at = &s->strangers;

	while (*at != c)
		at = &(*at)->next;
	*at = c->next;
	s->nstrangers--;
}

/* Adds a stranger, and ends the first if there are too many; under the lock. */
static void strangers_add(struct server *s, struct web_connection *c)
{
	struct web_connection **end = &s->strangers;

	while (*end)
		end = &(*end)->next;
	*end = c;
	if (++s->nstrangers <= STRANGERS)
		return;
	c = s->strangers;
	shutdown(c->socket, SHUT_RDWR);
	c->is = ENDED;
	strangers_remove(s, c);
}

static void connection_changes(void *context, struct MHD_Connection *c, void **kept,
			       enum MHD_ConnectionNotificationCode what)
{
	struct server *s = context;
	struct web_connection *own = *kept;

	pthread_mutex_lock(&s->lock);
	if (what == MHD_CONNECTION_NOTIFY_STARTED) {
		*kept = own = array_zero(1, sizeof *own);
		own->socket =
		    MHD_get_connection_info(c, MHD_CONNECTION_INFO_CONNECTION_FD)->connect_fd;
		strangers_add(s, own);
	} else if (own) {
		if (own->is == STRANGER)
			strangers_remove(s, own);
		s->known -= own->is == KNOWN;
		free(own);
		*kept = NULL;
	}
	pthread_mutex_unlock(&s->lock);
}

static void connection_let_in(struct server *s, struct MHD_Connection *c)
{
	struct web_connection *own =
	    MHD_get_connection_info(c, MHD_CONNECTION_INFO_SOCKET_CONTEXT)->socket_context;

	pthread_mutex_lock(&s->lock);
	if (own->is == STRANGER) {
		strangers_remove(s, own);
		own->is = KNOWN;
		s->known++;
	}
	pthread_mutex_unlock(&s->lock);
	MHD_set_connection_option(c, MHD_CONNECTION_OPTION_TIMEOUT, (unsigned)PATIENCE);
}

/* ---- requests ---- */

struct cookie_search {
	const struct admission *admission;
	bool found;
};

/* Looks at one cookie: other servers of this host may have set some of the same name. */
static enum MHD_Result cookie_look(void *context, enum MHD_ValueKind kind, const char *name,
				   const char *value)
{
	struct cookie_search *search = context;

	(void)kind;
	if (name && value && admission_is_key(search->admission, name, value))
		search->found = true;
	return MHD_YES;
}

/* Answers a request whose body has not come yet, unless it is admitted; then sets *admitted. */
static enum MHD_Result receive(struct server *s, struct MHD_Connection *c, const char *url,
			       const char *method, bool *admitted)
{
	struct cookie_search search = {.admission = s->admission};
	struct request_head v = {
	    .method = method,
	    .url = url,
	    .host = MHD_lookup_connection_value(c, MHD_HEADER_KIND, "Host"),
	    .origin = MHD_lookup_connection_value(c, MHD_HEADER_KIND, "Origin"),
	    .site = MHD_lookup_connection_value(c, MHD_HEADER_KIND, "Sec-Fetch-Site"),
	    .mode = MHD_lookup_connection_value(c, MHD_HEADER_KIND, "Sec-Fetch-Mode"),
	    .destination = MHD_lookup_connection_value(c, MHD_HEADER_KIND, "Sec-Fetch-Dest"),
	};
	const char *why;

	MHD_get_connection_values(c, MHD_COOKIE_KIND, cookie_look, &search);
	v.has_cookie = search.found;
	switch (admission_decide(s->admission, &v, &why)) {
	case ADMITTANCE_GRANTED:
		break;
	case ADMITTANCE_INVITED:
		return welcome(s, c, url, true);
	case ADMITTANCE_RETURNED:
		return welcome(s, c, url, false);
	case ADMITTANCE_REFUSED:
		return server_refuse(s, c, MHD_HTTP_FORBIDDEN, why);
	}
	connection_let_in(s, c);
	if (server_connections(s) > MOST_CONNECTIONS)
		return server_refuse(s, c, MHD_HTTP_SERVICE_UNAVAILABLE,
				     "Too many connections; close some of the pages.");
	if (strcmp(method, "GET") && strcmp(method, "POST"))
		return server_refuse(s, c, MHD_HTTP_METHOD_NOT_ALLOWED, "Only GET and POST.");
	*admitted = true;
	return MHD_YES;
}

static void body_add(struct body *b, const char *text, size_t size)
{
	if (b->size + size > MOST_BODY) {
		b->too_long = true;
		return;
	}
	b->text = array_resize(b->text, b->size + size + 1, 1);
	memcpy(b->text + b->size, text, size);
	b->size += size;
	b->text[b->size] = '\0';
}

static enum MHD_Result handle(void *context, struct MHD_Connection *c, const char *url,
			      const char *method, const char *version, const char *upload,
			      size_t *upload_size, void **request)
{
	struct server *s = context;
	struct body *body = *request;
	struct query_parameter *values = NULL;
	struct reply r;

	(void)version;
	if (!body) {
		bool admitted = false;
		enum MHD_Result result = receive(s, c, url, method, &admitted);

		if (admitted)
			*request = array_zero(1, sizeof *body);
		return result;
	}
	if (*upload_size) {
		body_add(body, upload, *upload_size);
		*upload_size = 0;
		return MHD_YES;
	}
	if (body->too_long)
		return server_refuse(s, c, MHD_HTTP_CONTENT_TOO_LARGE, "The request is too long.");
	MHD_get_connection_values(c, MHD_GET_ARGUMENT_KIND, value_take, &values);
	r = s->handler(s->context, &(struct http_request){.path = admission_rest(url),
							  .post = !strcmp(method, "POST"),
							  .body = body->text ? body->text : "",
							  .values = values});
	values_free(values);
	return answer(s, c, &r);
}

static void completed(void *context, struct MHD_Connection *c, void **request,
		      enum MHD_RequestTerminationCode how)
{
	struct body *body = *request;

	(void)context, (void)c, (void)how;
	if (body)
		free(body->text);
	free(body);
	*request = NULL;
}

/* Listens on a port that is free. Returns -1, and errno says why, if that fails. */
static int listen_here(void)
{
	struct sockaddr_in loopback = {
	    .sin_family = AF_INET,
	    .sin_addr.s_addr = htonl(INADDR_LOOPBACK),
	};
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

	if (fd < 0 ||
	    (bind(fd, (struct sockaddr *)&loopback, sizeof loopback) == 0 && listen(fd, KEPT) == 0))
		return fd;
	close(fd);
	return -1;
}

static unsigned port_of(int fd)
{
	struct sockaddr_in address = {0};

	getsockname(fd, (struct sockaddr *)&address, &(socklen_t){sizeof address});
	return ntohs(address.sin_port);
}

/* fd: of the socket if nothing listens on it yet, or -1. */
static void server_free(struct server *s, int fd)
{
	admission_free(s->admission);
	pthread_mutex_destroy(&s->lock);
	free(s);
	if (fd >= 0)
		close(fd);
}

struct server *server_start(server_handler handler, void *context, struct diag *diag)
{
	struct server *s = array_zero(1, sizeof *s);
	int fd;

	pthread_mutex_init(&s->lock, NULL);
	s->handler = handler;
	s->context = context;
	errno = 0;
	/* Everything must be ready before the first request. */
	fd = listen_here();
	if (fd >= 0 && (s->admission = admission_new(port_of(fd))))
		s->daemon = MHD_start_daemon(
		    MHD_USE_INTERNAL_POLLING_THREAD | MHD_USE_THREAD_PER_CONNECTION | MHD_USE_AUTO,
		    0, NULL, NULL, handle, s, MHD_OPTION_LISTEN_SOCKET, (MHD_socket)fd,
		    MHD_OPTION_CONNECTION_LIMIT, (unsigned)(MOST_CONNECTIONS + TOLD),
		    MHD_OPTION_CONNECTION_TIMEOUT, (unsigned)IMPATIENCE,
		    MHD_OPTION_NOTIFY_COMPLETED, completed, NULL, MHD_OPTION_NOTIFY_CONNECTION,
		    connection_changes, s, MHD_OPTION_END);
	if (!s->daemon) {
		diag_error(diag, DIAG_NOWHERE,
			   "cannot listen on 127.0.0.1: %s; -o FILE writes the picture to a file",
			   errno ? strerror(errno) : "the web server did not start");
		server_free(s, fd);
		return NULL;
	}
	return s;
}

char *server_invite(struct server *s)
{
	return admission_invite(s->admission);
}

bool server_awaits(struct server *s, const char *address)
{
	return admission_is_open(s->admission, address);
}

unsigned server_connections(const struct server *s)
{
	return s->known;
}

void server_stop(struct server *s)
{
	MHD_stop_daemon(s->daemon);
	server_free(s, -1);
}
