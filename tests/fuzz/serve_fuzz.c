/*
 * Requests from nowhere to gorge's server, through a real connection: whatever the bytes, it goes
 * on answering, and nobody is let in who has no cookie.
 *
 * Input: 'r' and what is sent as it is; 'g' and a path with its query, asked for with the cookie;
 * or 'p', a path, a line's end, and the body that is sent there. FUZZ_LOGS: the log directory.
 */
#include "base/array.h"
#include "viewers/gorge/server/attempt.h"
#include "viewers/gorge/answers/session.h"
#include "viewers/gorge/server/reopen.h"
#include "viewers/gorge/server/request_queue.h"
#include "viewers/gorge/server/whatif.h"
#include "viewers/gorge/style/theme.h"
#include <arpa/inet.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size);

static unsigned port;
static char path[64], cookie[128];      /* of a browser that was let in */

/* ---- one request ---- */

static int server_connect(void)
{
	struct sockaddr_in to = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port),
				 .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

	/*
	 * The ports of connections that are over come back after a while; what the fuzzer's clock
	 * interrupts goes on by itself.
	 */
	while (fd >= 0 && connect(fd, (struct sockaddr *)&to, sizeof to) && errno != EISCONN) {
		if (errno != EADDRNOTAVAIL && errno != EINTR && errno != EALREADY) {
			perror("serve_fuzz: connect");
			abort();
		}
		usleep(10000);
	}
	if (fd < 0)
		abort();
	return fd;
}

static void send_all(int fd, const char *text, size_t size)
{
	while (size > 0) {
		ssize_t n = send(fd, text, size, MSG_NOSIGNAL);

		if (n < 0 && errno == EINTR)
			continue;
		/* it may have answered and closed already */
		if (n <= 0)
			return;
		text += n;
		size -= (size_t)n;
	}
}

/* Sends a request, and its end if that is not in it. Returns the answer, to be freed. */
static char *request_answer(const char *text, size_t size, bool ends)
{
	VECTOR(char) answer = {0};
	char part[4096];
	ssize_t n;
	int fd = server_connect();

	send_all(fd, text, size);
	if (!ends)
		shutdown(fd, SHUT_WR);
	/* the fuzzer's clock interrupts */
	while ((n = recv(fd, part, sizeof part, 0)) > 0 || (n < 0 && errno == EINTR))
		if (n > 0)
			vector_append(&answer, part, (size_t)n);
	close(fd);
	*vector_add(&answer) = '\0';
	return answer.at;
}

static bool is_status(const char *answer, int status)
{
	int major, minor, is;

	return sscanf(answer, "HTTP/%d.%d %d", &major, &minor, &is) == 3 && is == status;
}

/* ---- the server ---- */

/* Comes with an invitation, as a browser does. */
static void come_in(const char *address)
{
	char *text = text_format("GET %s HTTP/1.1\r\nHost: 127.0.0.1:%u\r\nConnection: close\r\n\r\n",
				 strrchr(address, ':') + strcspn(strrchr(address, ':'), "/"), port);
	char *answer = request_answer(text, strlen(text), true);
	const char *set = strstr(answer, "Set-Cookie: "), *to = strstr(answer, "url=");

	if (!set || !to || sscanf(set, "Set-Cookie: %127[^;]", cookie) != 1 ||
	    sscanf(to, "url=%63[^\"]", path) != 1)
		abort();
	free(answer);
	free(text);
}

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	static const char *directories[2];
	static struct log_source source = {.directories = directories, .ndirectories = 1};
	static struct view view = {.width = 1200};
	static struct diag diag;
	struct trace *trace;
	struct trace_index *index;
	struct session *s;
	struct server *server;
	char *address;

	(void)argc, (void)argv;
	diag = (struct diag){.out = stderr, .program = "serve_fuzz"};
	directories[0] = getenv("FUZZ_LOGS");
	view.theme = &theme_light;
	trace = directories[0] ? reopen_trace(&source, NULL, &diag) : NULL;
	index = trace ? trace_index_new(trace, &diag) : NULL;
	if (!index)
		abort();
	s = session_new(&view, index);
	s->source = &source;
	s->queue = request_queue_new();
	whatif_new(s, NULL);
	matcher_begin(index->matcher);
	server = server_start(attempt_answer, s, &diag);
	address = server ? server_invite(server) : NULL;
	if (!address || sscanf(address, "http://127.0.0.1:%u/", &port) != 1)
		abort();
	come_in(address);
	free(address);
	return 0;
}

/* ---- inputs ---- */

static void put_line(FILE *out, const char *text, size_t size)
{
	/* what cannot stand in the first line would only be what is sent as it is */
	for (size_t i = 0; i < size; i++)
		if ((unsigned char)text[i] <= ' ')
			fprintf(out, "%%%02X", (unsigned char)text[i]);
		else
			putc(text[i], out);
}

static void put_request(FILE *out, bool post, const char *text, size_t size)
{
	const char *end = post ? memchr(text, '\n', size) : NULL;
	size_t line = end ? (size_t)(end - text) : size, body = end ? size - line - 1 : 0;

	fprintf(out, "%s %s", post ? "POST" : "GET", path);
	put_line(out, text, line);
	fprintf(out, " HTTP/1.1\r\nHost: 127.0.0.1:%u\r\nCookie: %s\r\nConnection: close\r\n", port,
		cookie);
	if (post)
		fprintf(out, "Content-Length: %zu\r\n", body);
	fputs("\r\n", out);
	if (end)
		fwrite(end + 1, 1, body, out);
}

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size)
{
	const char *text = (const char *)data + 1;
	char *request = NULL, *answer;
	size_t n;
	FILE *out;

	if (size == 0 || !strchr("rgp", *data))
		return -1;
	out = open_memstream(&request, &n);
	if (!out)
		abort();
	if (*data == 'r')
		fwrite(text, 1, size - 1, out);
	else
		put_request(out, *data == 'p', text, size - 1);
	fclose(out);
	answer = request_answer(request, n, *data != 'r');
	/* whoever has the cookie gets some answer; whoever has none gets no good one */
	if (*data == 'r' ? is_status(answer, 200) : strncmp(answer, "HTTP/1.1 ", 9) != 0) {
		fprintf(stderr, "%.*s\n----\n%.1000s\n", (int)n, request, answer);
		abort();
	}
	free(answer);
	free(request);
	return 0;
}
