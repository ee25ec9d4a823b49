# ./steps: a program that logs so many events in such a thread as each line says that it reads; -1 ends the thread.
cat >steps.spec <<'END'
glimpse steps
event Begin(int n, string what) = plus;
event End(int n, string what) = box;
event Other(double x) = x;
interval Call [ b:Begin -> e:End ] Match = rectangle;
end steps.
END
cat >steps.c <<'END'
#include "steps_glimpse.h"
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>

enum { THREADS = 16 };

static struct worker {
	pthread_t thread;
	sem_t wanted, done;
	int number, n, events;
} workers[THREADS];

static void *work(void *context)
{
	static const char *const words[] = { "", "a", "longer than that" };
	struct worker *w = context;

	for (;;) {
		sem_wait(&w->wanted);
		if (w->n < 0)
			return NULL;
		for (int i = 0; i < w->n; i++, w->events++) {
			int n = w->number * 1000000 + w->events / 2;
			if (w->events % 7 == 6)
				Other_Stamp(w->events);
			else if (w->events % 2)
				End_Stamp(n, words[n % 3]);
			else
				Begin_Stamp(n, words[n % 3]);
		}
		sem_post(&w->done);
	}
	return NULL;
}

/* Each line: a thread, and how many events it logs, or -1: the thread ends. Another one may take its place. */
int main(void)
{
	int thread, n;

	while (scanf("%d %d", &thread, &n) == 2) {
		struct worker *w = &workers[thread];
		if (!w->thread && n >= 0) {
			sem_init(&w->wanted, 0, 0);
			sem_init(&w->done, 0, 0);
			w->number = thread;
			pthread_create(&w->thread, NULL, work, w);
		}
		w->n = n;
		if (n >= 0) {
			sem_post(&w->wanted);
			sem_wait(&w->done);
		} else if (w->thread) {
			sem_post(&w->wanted);
			pthread_join(w->thread, NULL);
			w->thread = 0;
		}
		puts("done");
		fflush(stdout);
	}
	return 0;
}
END
"$BUILD/glimpsec" -l c steps.spec &&
	$CC $TEST_CFLAGS -O2 -I"$SRC/runtime" -I"$BUILD/runtime" -o steps steps.c steps_glimpse.c "$BUILD/.libs/libglimpse.a" -lpthread || exit 1
