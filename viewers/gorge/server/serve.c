#include "viewers/gorge/server/serve.h"
#include "viewers/gorge/build/build.h"
#include "viewers/gorge/server/follow.h"
#include "viewers/gorge/server/session.h"
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <unistd.h>

/* Nanoseconds; a page that is loaded again leaves and comes back within so many. */
enum { BEAT = 100000000, GRACE = 30 };

/* Shows the address where there is somebody to look at it. */
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

/* It said so; or it was killed with its browser, whose connections are gone. */
static bool page_is_gone(const struct session *s, const struct server *server)
{
	return s->presence == PRESENCE_LEFT ||
	       (s->presence == PRESENCE_OPEN && server_connections(server) == 0);
}

/* Until Ctrl-C; or, with --once, until the page was closed. */
static void wait_for_end(struct session *s, const struct server *server, struct follower *follow,
			 const sigset_t *set)
{
	const struct timespec beat = {.tv_nsec = BEAT};
	int gone = 0;

	while (sigtimedwait(set, NULL, &beat) < 0) {
		gone = page_is_gone(s, server) ? gone + 1 : 0;
		if (s->options->once && gone >= GRACE)
			return;
		if (follow)
			follower_step(follow);
	}
}

bool gorge_serve(const struct options *o, struct trace_index *m, struct diag *diag)
{
	bool good = view_check(&o->view, m, diag);
	struct session *s = session_new(o, m);
	struct server *server;
	struct follower *follow;
	sigset_t set;

	matcher_begin(m->matcher);
	block_signals(&set);
	follow = o->follow ? follower_new(s) : NULL;
	server = good ? server_start(session_answer, s, diag) : NULL;
	if (server) {
		open_browser(server_url(server));
		fputs("gorge: the view is at the address above; Ctrl-C ends it\n", stderr);
		wait_for_end(s, server, follow, &set);
		server_stop(server);
	}
	follower_free(follow);
	session_free(s);
	return server;
}
