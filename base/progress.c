#include "base/progress.h"
#include "base/monotonic.h"
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <unistd.h>

#define WIDTH 40
#define FIRST 1000000000 /* ns before the bar appears, and between two looks of it */
#define AGAIN 100000000

/* Of what follows: work that goes on at the same time has one bar, that of what began first. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static const char *title;
static unsigned depth;
static int64_t begun, shown;
static bool visible;

void progress_begin(const char *what)
{
	pthread_mutex_lock(&lock);
	if (depth++ == 0) {
		title = what;
		begun = monotonic_now();
		shown = begun + FIRST - AGAIN;
	}
	pthread_mutex_unlock(&lock);
}

static void bar_print(double share, int64_t elapsed)
{
	int filled = (int)(share * WIDTH);

	fprintf(stderr, "\r%s [%.*s%*s] %3.0f %%", title, filled,
		"########################################", WIDTH - filled, "", 100 * share);
	if (share > 0.02)
		fprintf(stderr, ", %.0f s left ", (double)elapsed * (1 - share) / share / 1e9);
	fputs("\033[K", stderr);
}

static void step(uint64_t done, uint64_t total)
{
	int64_t time;

	if (depth != 1 || total == 0)
		return;
	time = monotonic_now();
	if (time - shown < AGAIN || !isatty(STDERR_FILENO))
		return;
	shown = time;
	visible = true;
	bar_print(done < total ? (double)done / (double)total : 1, time - begun);
}

void progress_step(uint64_t done, uint64_t total)
{
	pthread_mutex_lock(&lock);
	step(done, total);
	pthread_mutex_unlock(&lock);
}

void progress_end(void)
{
	pthread_mutex_lock(&lock);
	if (--depth == 0 && visible) {
		visible = false;
		fputs("\r\033[K", stderr);
	}
	pthread_mutex_unlock(&lock);
}
