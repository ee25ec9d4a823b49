#include "viewers/gorge/server/replayer.h"
#include "base/array.h"
#include "base/directory.h"
#include "viewers/gorge/server/changed_replay.h"
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* Milliseconds between two looks at a process that replays. */
enum { LOOK = 20 };

struct replayer {
	const struct log_source *source;
	int orders; /* a socket: changes go out, results come in */
	pid_t helper;
	atomic_int *step; /* in memory that all processes share */
};

/* A message to the helper. */
struct replay_request {
	bool stop; /* what runs; else a change is to be replayed */
	struct whatif_change change;
};

/* ---- the process that replays ---- */

/* Without "gorge: error: ": the page says it where it was asked for. */
static void message_take(void *file, const struct diag_message *m)
{
	if (m->severity != DIAG_WARNING)
		fprintf(file, "%s\n", m->text);
}

/* The memory goes with the process. */
static _Noreturn void process_run(const struct replayer *r, const struct whatif_change *a,
				  const char *folder)
{
	char *path = text_format("%s/why", folder);
	FILE *why = fopen(path, "w");
	struct diag diag = {.program = "gorge", .take = message_take, .context = why};
	bool good;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	good = why && changed_replay(r->source, a, folder, r->step, &diag);
	if (why)
		fclose(why);
	_exit(good ? 0 : 1);
}

/* ---- the helper ---- */

struct helper {
	struct replayer *replayer;
	char *folder; /* all others are in it; NULL: not made yet */
	unsigned number;
	pid_t process; /* 0: nothing runs */
	struct replayed result;
};

static bool folder_make(struct helper *h)
{
	const char *temporary = getenv("TMPDIR");

	if (!h->folder) {
		h->folder = text_format("%s/gorge-whatif-XXXXXX",
					temporary && *temporary ? temporary : "/tmp");
		if (!mkdtemp(h->folder)) {
			free(h->folder);
			h->folder = NULL;
			return false;
		}
	}
	h->result = (struct replayed){.done = false};
	snprintf(h->result.folder, sizeof h->result.folder, "%s/%u", h->folder, ++h->number);
	return mkdir(h->result.folder, 0700) == 0;
}

static void result_send(struct helper *h)
{
	if (!h->result.done && *h->result.folder) {
		directory_remove(h->result.folder);
		*h->result.folder = '\0';
	}
	send(h->replayer->orders, &h->result, sizeof h->result, MSG_NOSIGNAL);
}

static void process_begin(struct helper *h, const struct whatif_change *change)
{
	if (!folder_make(h)) {
		h->result = (struct replayed){.done = false};
		snprintf(h->result.why, sizeof h->result.why,
			 "cannot make a folder for the predicted run in %s: %s",
			 getenv("TMPDIR") ? getenv("TMPDIR") : "/tmp", strerror(errno));
		result_send(h);
		return;
	}
	h->process = fork();
	if (h->process == 0) {
		close(h->replayer->orders);
		process_run(h->replayer, change, h->result.folder);
	}
	if (h->process > 0)
		return;
	h->process = 0;
	snprintf(h->result.why, sizeof h->result.why, "cannot start a process: %s",
		 strerror(errno));
	result_send(h);
}

static void why_read(struct helper *h)
{
	char *path = text_format("%s/why", h->result.folder);
	FILE *in = fopen(path, "r");
	size_t n = in ? fread(h->result.why, 1, sizeof h->result.why - 1, in) : 0;

	h->result.why[n] = '\0';
	if (in)
		fclose(in);
	free(path);
}

/* Says what has come of the process, if it has ended. */
static void process_look(struct helper *h)
{
	int status;

	if (!h->process || waitpid(h->process, &status, WNOHANG) != h->process)
		return;
	h->process = 0;
	h->result.done = WIFEXITED(status) && WEXITSTATUS(status) == 0;
	if (!h->result.done && WIFEXITED(status))
		why_read(h);
	else if (!h->result.done)
		snprintf(h->result.why, sizeof h->result.why,
			 "the system killed the replay (signal %d); it may need more "
			 "memory than this machine has",
			 WTERMSIG(status));
	result_send(h);
}

static void process_stop(struct helper *h)
{
	if (!h->process)
		return;
	kill(h->process, SIGKILL);
	waitpid(h->process, NULL, 0);
	h->process = 0;
}

static void order_take(struct helper *h, const struct replay_request *order)
{
	if (!order->stop && !h->process) {
		process_begin(h, &order->change);
	} else if (order->stop && h->process) {
		process_stop(h);
		result_send(h);
	}
}

/* Ends when the other end of the socket is closed, which also a killed program does. */
static _Noreturn void helper_run(struct replayer *r)
{
	struct helper h = {.replayer = r};
	struct replay_request *order = array_new(1, sizeof *order);
	struct pollfd input = {.fd = r->orders, .events = POLLIN};

	signal(SIGINT, SIG_IGN), signal(SIGTERM, SIG_IGN), signal(SIGHUP, SIG_IGN);
	for (;;) {
		if (poll(&input, 1, h.process ? LOOK : -1) > 0) {
			if (recv(r->orders, order, sizeof *order, 0) <= 0)
				break;
			order_take(&h, order);
		}
		process_look(&h);
	}
	process_stop(&h);
	if (h.folder)
		directory_remove(h.folder);
	_exit(0);
}

/* ---- the program ---- */

static atomic_int *step_new(void)
{
	void *memory = mmap(NULL, sizeof(atomic_int), PROT_READ | PROT_WRITE,
			    MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	return memory == MAP_FAILED ? NULL : memory;
}

struct replayer *replayer_start(const struct log_source *source, void (*confine)(const void *),
				const void *context)
{
	struct replayer *r = array_zero(1, sizeof *r);
	int ends[2] = {-1, -1};

	r->source = source;
	r->step = step_new();
	r->helper = r->step && socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) == 0
			? fork()
			: -1;
	if (r->helper == 0) {
		close(ends[0]);
		r->orders = ends[1];
		confine(context);
		helper_run(r);
	}
	if (ends[1] >= 0)
		close(ends[1]);
	r->orders = ends[0];
	if (r->helper > 0)
		return r;
	if (ends[0] >= 0)
		close(ends[0]);
	if (r->step)
		munmap(r->step, sizeof *r->step);
	free(r);
	return NULL;
}

void replayer_end(struct replayer *r)
{
	if (!r)
		return;
	close(r->orders);
	waitpid(r->helper, NULL, 0);
	munmap(r->step, sizeof *r->step);
	free(r);
}

static void order_send(struct replayer *r, bool stop, const struct whatif_change *c)
{
	struct replay_request *order = array_zero(1, sizeof *order);

	order->stop = stop;
	if (c)
		order->change = *c;
	send(r->orders, order, sizeof *order, MSG_NOSIGNAL);
	free(order);
}

void replayer_begin(struct replayer *r, const struct whatif_change *c)
{
	*r->step = REPLAY_READS;
	order_send(r, false, c);
}

void replayer_await(struct replayer *r, struct replayed *result)
{
	bool came = recv(r->orders, result, sizeof *result, 0) == (ssize_t)sizeof *result;

	*r->step = REPLAY_OPENS;
	if (came)
		return;
	*result = (struct replayed){.done = false};
	snprintf(result->why, sizeof result->why,
		 "the process that replays has ended; start gorge again");
}

void replayer_stop(struct replayer *r)
{
	order_send(r, true, NULL);
}

enum replay_step replayer_step(const struct replayer *r)
{
	return (enum replay_step) * r->step;
}
