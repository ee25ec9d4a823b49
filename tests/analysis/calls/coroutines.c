/*
 * Ten threads, each with two coroutines that run in turns: the first spins 2.0 ms, then 1.0 ms, the
 * second 0.75 ms, then 0.5 ms. All these are calls of one function for each length; each coroutine
 * yields from within a function of its own, which is open all the time. With TOLD the stacks are
 * changed by what no probe sees, and glimpse_context() tells of it.
 */
#include <pthread.h>
#include <stdlib.h>
#include <time.h>
#include <ucontext.h>

#ifdef TOLD
#include <dlfcn.h>
#include <glimpse.h>
static int (*unseen_swap)(ucontext_t *, const ucontext_t *);
#define swapcontext unseen_swap
#else
#define glimpse_context(stack)
#endif

enum { THREADS = 10, STACK = 65536 };

struct pair {
	ucontext_t main, one, two;
	char *stacks[2];
};

#define PLAIN __attribute__((no_instrument_function, noinline))
#define FUNCTION __attribute__((noinline))

PLAIN static void spin(double ms)
{
	struct timespec from, now;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &from);
	do
		clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	while ((double)(now.tv_sec - from.tv_sec) * 1e3 + (double)(now.tv_nsec - from.tv_nsec) / 1e6 < ms);
}

FUNCTION static void spin_2000(void) { spin(2.0); }
FUNCTION static void spin_1000(void) { spin(1.0); }
FUNCTION static void spin_750(void) { spin(0.75); }
FUNCTION static void spin_500(void) { spin(0.5); }

FUNCTION static void one(struct pair *p)
{
	spin_2000();
	glimpse_context(p->stacks[1]);
	swapcontext(&p->one, &p->two);
	spin_1000();
}

FUNCTION static void two(struct pair *p)
{
	spin_750();
	glimpse_context(p->stacks[0]);
	swapcontext(&p->two, &p->one);
	spin_500();
}

PLAIN static void begin_one(struct pair *p)
{
	one(p);
	glimpse_context(p->stacks[1]);
}

PLAIN static void begin_two(struct pair *p)
{
	two(p);
	glimpse_context(NULL);
}

PLAIN static void context_make(ucontext_t *c, ucontext_t *next, char *stack, void (*function)(struct pair *),
			       struct pair *p)
{
	getcontext(c);
	c->uc_stack.ss_sp = stack;
	c->uc_stack.ss_size = STACK;
	c->uc_link = next;
	makecontext(c, (void (*)(void))function, 1, p);
}

FUNCTION static void *thread(void *unused)
{
	struct pair p;

	p.stacks[0] = malloc(STACK);
	p.stacks[1] = malloc(STACK);
	context_make(&p.one, &p.two, p.stacks[0], begin_one, &p);
	context_make(&p.two, &p.main, p.stacks[1], begin_two, &p);
	glimpse_context(p.stacks[0]);
	swapcontext(&p.main, &p.one);
	free(p.stacks[0]);
	free(p.stacks[1]);
	return unused;
}

int main(void)
{
	pthread_t threads[THREADS];

#ifdef TOLD
	*(void **)&unseen_swap = dlsym(dlopen("libc.so.6", RTLD_LAZY), "swapcontext");
#endif
	for (int i = 0; i < THREADS; i++)
		pthread_create(&threads[i], NULL, thread, NULL);
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	return 0;
}
