#include "viewers/server.h"
#include "base/array.h"
#include <arpa/inet.h>
#include <errno.h>
#include <microhttpd.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <unistd.h>

enum { TOKEN_BYTES = 16, MOST_BODY = 1 << 20, PATIENCE = 120 };
/*
 * A browser keeps six connections. Where there are more than KEPT each ends with its answer, so
 * that idle ones keep no other out; more than MOST are told to come back, at most TOLD at a time.
 */
enum { KEPT = 64, MOST_CONNECTIONS = 512, TOLD = 64 };

struct server {
	struct MHD_Daemon *daemon;
	atomic_uint connections;
	server_handler handler;
	void *context;
	char token[2 * TOKEN_BYTES + 1];
	char *hosts[2], *origins[2];    /* by number and by name */
	char *url;
};

/* What has come of the body of a POST. */
struct body {
	char *text;
	size_t size;
	bool too_long;
};

const char *http_value(const struct http_request *a, const char *name)
{
	return MHD_lookup_connection_value(a->values, MHD_GET_ARGUMENT_KIND, name);
}

static const struct {
	const char *name, *value;
} headers[] = {
	{"Cache-Control", "no-store"},
	{"Content-Security-Policy",
	 "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; "
	 "connect-src 'self'; img-src data: blob:; base-uri 'none'; form-action 'none'; "
	 "frame-ancestors 'none'"},
	{"Cross-Origin-Resource-Policy", "same-origin"},
	{"Referrer-Policy", "no-referrer"},
	{"X-Content-Type-Options", "nosniff"},
};

static enum MHD_Result answer(const struct server *s, struct MHD_Connection *c,
			      const struct reply *r)
{
	struct MHD_Response *response =
	    MHD_create_response_from_buffer(r->size, r->body, MHD_RESPMEM_MUST_FREE);
	enum MHD_Result result;

	for (size_t i = 0; i < sizeof headers / sizeof *headers; i++)
		MHD_add_response_header(response, headers[i].name, headers[i].value);
	MHD_add_response_header(response, "Content-Type", r->type);
	if (server_connections(s) > KEPT)
		MHD_add_response_header(response, "Connection", "close");
	if (r->status == MHD_HTTP_SERVICE_UNAVAILABLE)
		MHD_add_response_header(response, "Retry-After", "1");
	result = MHD_queue_response(c, r->status, response);
	MHD_destroy_response(response);
	return result;
}

static enum MHD_Result server_refuse(const struct server *s, struct MHD_Connection *c,
				     unsigned status, const char *why)
{
	struct reply r = {.status = status, .type = "text/plain", .body = text_format("%s\n", why)};

	r.size = strlen(r.body);
	return answer(s, c, &r);
}

/* Another site's page can make the browser ask this server, but not by its name. */
static bool server_is_one_of(const char *value, char *const known[2])
{
	return !strcmp(value, known[0]) || !strcmp(value, known[1]);
}

/* Takes as long for a wrong token as for the right one. */
static bool has_token(const struct server *s, const char *url)
{
	size_t n = strlen(s->token);
	unsigned char difference = 0;

	if (strlen(url) < n + 2 || url[0] != '/' || url[n + 1] != '/')
		return false;
	for (size_t i = 0; i < n; i++)
		difference |= (unsigned char)(url[i + 1] ^ s->token[i]);
	return difference == 0;
}

/* Returns why a request is refused; NULL: it is not. */
static const char *objection(const struct server *s, struct MHD_Connection *c, const char *url)
{
	const char *host = MHD_lookup_connection_value(c, MHD_HEADER_KIND, "Host");
	const char *origin = MHD_lookup_connection_value(c, MHD_HEADER_KIND, "Origin");

	if (!host || !server_is_one_of(host, s->hosts))
		return "This is not the host that was asked for.";
	if (origin && !server_is_one_of(origin, s->origins))
		return "Pages of other sites get no answer.";
	if (!has_token(s, url))
		return "The address lacks the token: open the one that gorge printed.";
	return NULL;
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
	const char *why;
	struct reply r;

	(void)version;
	if (!body) {
		*request = array_zero(1, sizeof *body);
		return MHD_YES;
	}
	if (*upload_size) {
		body_add(body, upload, *upload_size);
		*upload_size = 0;
		return MHD_YES;
	}
	why = objection(s, c, url);
	if (why)
		return server_refuse(s, c, MHD_HTTP_FORBIDDEN, why);
	if (server_connections(s) > MOST_CONNECTIONS)
		return server_refuse(s, c, MHD_HTTP_SERVICE_UNAVAILABLE,
				     "There are too many connections; close some of the pages.");
	if (strcmp(method, "GET") && strcmp(method, "POST"))
		return server_refuse(s, c, MHD_HTTP_METHOD_NOT_ALLOWED, "Only GET and POST.");
	if (body->too_long)
		return server_refuse(s, c, MHD_HTTP_CONTENT_TOO_LARGE, "That is too long.");
	r = s->handler(s->context, &(struct http_request){
		.path = url + strlen(s->token) + 2, .post = !strcmp(method, "POST"),
		.body = body->text ? body->text : "", .values = c});
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

static void server_count(void *context, struct MHD_Connection *c, void **socket,
			 enum MHD_ConnectionNotificationCode what)
{
	struct server *s = context;

	(void)c, (void)socket;
	if (what == MHD_CONNECTION_NOTIFY_STARTED)
		s->connections++;
	else
		s->connections--;
}

static bool make_token(struct server *s)
{
	unsigned char bytes[TOKEN_BYTES];

	if (getrandom(bytes, sizeof bytes, 0) != sizeof bytes)
		return false;
	for (int i = 0; i < TOKEN_BYTES; i++)
		sprintf(s->token + 2 * i, "%02x", bytes[i]);
	return true;
}

/* Listens on a port that is free. Returns -1, and errno says why, if that fails. */
static int listen_here(void)
{
	struct sockaddr_in loopback = {
		.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK),
	};
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

	if (fd < 0 || (bind(fd, (struct sockaddr *)&loopback, sizeof loopback) == 0 &&
		       listen(fd, KEPT) == 0))
		return fd;
	close(fd);
	return -1;
}

static void name_addresses(struct server *s, int fd)
{
	static const char *const names[] = {"127.0.0.1", "localhost"};
	struct sockaddr_in address = {0};
	unsigned port;

	getsockname(fd, (struct sockaddr *)&address, &(socklen_t){sizeof address});
	port = ntohs(address.sin_port);

	for (int i = 0; i < 2; i++) {
		s->hosts[i] = text_format("%s:%u", names[i], port);
		s->origins[i] = text_format("http://%s", s->hosts[i]);
	}
	s->url = text_format("%s/%s/", s->origins[0], s->token);
}

/* fd: of the socket if nothing listens on it yet, or -1. */
static void server_free(struct server *s, int fd)
{
	for (int i = 0; i < 2; i++) {
		free(s->hosts[i]);
		free(s->origins[i]);
	}
	free(s->url);
	free(s);
	if (fd >= 0)
		close(fd);
}

struct server *server_start(server_handler handler, void *context, struct diag *diag)
{
	struct server *s = array_zero(1, sizeof *s);
	int fd = -1;

	s->handler = handler;
	s->context = context;
	errno = 0;
	/* Everything must be ready before the first request. */
	if (make_token(s) && (fd = listen_here()) >= 0) {
		name_addresses(s, fd);
		s->daemon = MHD_start_daemon(
		    MHD_USE_INTERNAL_POLLING_THREAD | MHD_USE_THREAD_PER_CONNECTION | MHD_USE_AUTO,
			    0, NULL, NULL,
		    handle, s,
		    MHD_OPTION_LISTEN_SOCKET, (MHD_socket)fd,
		    MHD_OPTION_CONNECTION_LIMIT, (unsigned)(MOST_CONNECTIONS + TOLD),
		    MHD_OPTION_CONNECTION_TIMEOUT, (unsigned)PATIENCE,
		    MHD_OPTION_NOTIFY_COMPLETED, completed, NULL,
		    MHD_OPTION_NOTIFY_CONNECTION, server_count, s, MHD_OPTION_END);
	}
	if (!s->daemon) {
		diag_error(diag, DIAG_NOWHERE,
			   "cannot listen on 127.0.0.1: %s; -o FILE writes the picture to a file",
			   errno ? strerror(errno) : "the web server did not start");
		server_free(s, fd);
		return NULL;
	}
	return s;
}

const char *server_url(const struct server *s)
{
	return s->url;
}

unsigned server_connections(const struct server *s)
{
	return s->connections;
}

void server_stop(struct server *s)
{
	MHD_stop_daemon(s->daemon);
	server_free(s, -1);
}
