#include "viewers/gorge/server/serve.h"
#include "base/array.h"
#include "base/file_shrink.h"
#include "viewers/gorge/answers/session.h"
#include "viewers/gorge/build/build.h"
#include "viewers/gorge/server/attempt.h"
#include "viewers/gorge/server/follow.h"
#include "viewers/gorge/server/request_queue.h"
#include "viewers/gorge/server/upper_run.h"
#include "viewers/gorge/server/whatif.h"
#include "viewers/web/browser.h"
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

/* Nanoseconds between two looks; a page that is loaded again is gone for at most GRACE of them. */
enum { BEAT = 100000000, GRACE = 30 };

static void print_address(struct server *server)
{
	char *address = server_invite(server);

	if (!address)
		return;
	printf("%s\n", address);
	fflush(stdout);
	free(address);
}

/* Tells whether the user pressed Enter where this program runs in the foreground. */
static bool enter_pressed(void)
{
	static bool ended;
	struct pollfd input = {.fd = STDIN_FILENO, .events = POLLIN};
	char line[256];
	ssize_t n;

	if (ended || tcgetpgrp(STDIN_FILENO) != getpgrp() || poll(&input, 1, 0) <= 0)
		return false;
	n = read(STDIN_FILENO, line, sizeof line);
	ended = n <= 0;
	return n > 0;
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

/* The programs are followed by a thread of its own: one that reads may have to wait for ever. */
struct following {
	struct follower *follower;
	atomic_bool over;
	pthread_t thread;
};

static void *follow(void *context)
{
	struct following *f = context;

	while (!f->over) {
		nanosleep(&(struct timespec){.tv_nsec = BEAT}, NULL);
		follower_step(f->follower);
	}
	return NULL;
}

/* Returns NULL if there is nothing to follow, or no thread to do it. */
static struct following *following_begin(struct session *s)
{
	struct following *f = array_zero(1, sizeof *f);

	f->follower = follower_new(s);
	if (pthread_create(&f->thread, NULL, follow, f) == 0)
		return f;
	follower_free(f->follower);
	free(f);
	return NULL;
}

static void following_end(struct following *f)
{
	f->over = true;
	pthread_join(f->thread, NULL);
	follower_free(f->follower);
	free(f);
}

/* Says once when a log became shorter. */
static void tell_shrunk(void)
{
	static bool told;

	if (told || !file_shrink_path())
		return;
	told = true;
	fprintf(stderr, "gorge: error: %s: " FILE_SHRINK_WHY "; start gorge again\n",
		file_shrink_path());
}

/* Waits for Ctrl-C; once: or until the page is closed. */
static void wait_for_end(struct session *s, struct server *server, bool once,
			 struct browser *browser, const sigset_t *set)
{
	const struct timespec beat = {.tv_nsec = BEAT};
	int gone = 0;

	if (browser)
		browser_start(browser, server);
	while (sigtimedwait(set, NULL, &beat) < 0) {
		gone = page_is_gone(s, server) ? gone + 1 : 0;
		if (once && gone >= GRACE)
			break;
		if (enter_pressed())
			print_address(server);
		if (browser)
			browser_step(browser);
		tell_shrunk();
	}
}

bool gorge_serve(const struct view *view, const struct log_source *source,
		 const struct log_source *upper, bool once, struct browser *browser,
		 struct replayer *replayer, struct trace_index *index, struct diag *diag)
{
	bool good = view_check(view, index, diag);
	struct session *s = session_new(view, index);
	struct request_queue *queue = request_queue_new();
	struct following *following;
	struct server *server;
	sigset_t set;

	s->source = source;
	s->followed = source->follow;
	s->queue = queue;
	whatif_new(s, replayer);
	if (upper && good)
		good = upper_run_open(s, upper, diag);
	file_shrink_stop_threads();
	block_signals(&set); /* in all threads that begin from here on */
	matcher_begin(index->matcher);
	following = source->follow && good ? following_begin(s) : NULL;
	server = good ? server_start(attempt_answer, s, diag) : NULL;
	if (server) {
		print_address(server);
		fputs("gorge: open the view at this address, which admits one browser, once\n",
		      stderr);
		fputs(isatty(STDIN_FILENO)
			  ? "gorge: Enter prints another address, Ctrl-C ends gorge\n"
			  : "gorge: Ctrl-C ends gorge\n",
		      stderr);
		wait_for_end(s, server, once, browser, &set);
		server_stop(server);
	}
	/* Threads that stopped hold what would be freed. */
	if (file_shrink_path())
		return false;
	if (following)
		following_end(following);
	whatif_free(s->whatif);
	upper_run_close(s);
	session_free(s);
	request_queue_free(queue);
	return server;
}
