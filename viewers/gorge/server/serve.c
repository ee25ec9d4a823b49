#include "viewers/gorge/server/serve.h"
#include "viewers/gorge/build/build.h"
#include "viewers/gorge/server/follow.h"
#include "viewers/gorge/server/request_queue.h"
#include "viewers/gorge/answers/session.h"
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <unistd.h>

/* Nanoseconds between two looks; a page that is loaded again is gone for at most GRACE of them. */
enum { BEAT = 100000000, GRACE = 30 };

/* Prints the address, and opens a browser if there is a terminal and a screen. */
static void open_browser(const char *url)
{
	char *arguments[] = {"xdg-open", (char *)url, NULL};
	posix_spawn_file_actions_t actions;
	pid_t pid;

	printf("%s\n", url);
	fflush(stdout);
	if (!isatty(STDOUT_FILENO) || (!getenv("DISPLAY") && !getenv("WAYLAND_DISPLAY")))
		return;
	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", 1, 0);
	posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", 1, 0);
	posix_spawnp(&pid, arguments[0], &actions, NULL, arguments, environ);
	posix_spawn_file_actions_destroy(&actions);
}

static void block_signals(sigset_t *set)
{
	sigemptyset(set);
	sigaddset(set, SIGINT);
	sigaddset(set, SIGTERM);
	sigaddset(set, SIGHUP);
	pthread_sigmask(SIG_BLOCK, set, NULL);
}

/* Returns whether the page said that it leaves, or was killed: then its connections are gone. */
static bool page_is_gone(const struct session *s, const struct server *server)
{
	return s->presence == PRESENCE_LEFT ||
	       (s->presence == PRESENCE_OPEN && server_connections(server) == 0);
}

/* Waits for Ctrl-C; once: or until the page is closed. */
static void wait_for_end(struct session *s, const struct server *server, struct follower *follower,
			 bool once, const sigset_t *set)
{
	const struct timespec beat = {.tv_nsec = BEAT};
	int gone = 0;

	while (sigtimedwait(set, NULL, &beat) < 0) {
		gone = page_is_gone(s, server) ? gone + 1 : 0;
		if (once && gone >= GRACE)
			return;
		if (follower)
			follower_step(follower);
	}
}

bool gorge_serve(const struct view *view, const struct log_source *source, bool once,
		 struct trace_index *index, struct diag *diag)
{
	bool good = view_check(view, index, diag);
	struct session *s = session_new(view, index);
	struct request_queue *queue = request_queue_new();
	struct follower *follower;
	struct server *server;
	sigset_t set;

	s->source = source;
	s->followed = source->follow;
	s->queue = queue;
	matcher_begin(index->matcher);
	block_signals(&set);
	follower = source->follow ? follower_new(s) : NULL;
	server = good ? server_start(session_answer, s, diag) : NULL;
	if (server) {
		open_browser(server_url(server));
		fputs("gorge: the view is at the address above; Ctrl-C ends it\n", stderr);
		wait_for_end(s, server, follower, once, &set);
		server_stop(server);
	}
	follower_free(follower);
	session_free(s);
	request_queue_free(queue);
	return server;
}
