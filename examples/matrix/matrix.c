/*
 * matrix ORDER [-n SIZE] [-l LEAF] [-t THREADS]: multiplies two matrices by divide and conquer. A task
 * with matrices larger than LEAF halves them, and puts eight products of the halves into a pool; the
 * thread that does the last of the eight adds them up. ORDER says which task a thread takes from the
 * pool: "lifo" the one that was put there last, "fifo" the one that has been there longest.
 */
#include "matrix_glimpse.h"
#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { PARTS = 8 };

struct task {
	int number, size;
	const double *a, *b;            /* within the two matrices */
	double *product;                /* of its own: size rows without gaps */
	struct task *parent;
	struct task *parts[PARTS];
	atomic_int left;                /* parts that are not done */
	struct task *next, *previous;   /* in the pool */
};

static int size = 512, leaf = 64, nthreads = 2;
static bool lifo;
static atomic_int numbers;
static atomic_size_t bytes, most;       /* of all products */

/* ---- the pool ---- */

static struct {
	pthread_mutex_t mutex;
	pthread_cond_t changed;
	struct task *oldest, *newest;
	int n;
	bool done;
} pool = {.mutex = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER};

static void put(struct task *t)
{
	pthread_mutex_lock(&pool.mutex);
	Put_Stamp(t->number);
	t->previous = pool.newest;
	*(pool.newest ? &pool.newest->next : &pool.oldest) = t;
	pool.newest = t;
	pool.n++;
	pthread_cond_signal(&pool.changed);
	pthread_mutex_unlock(&pool.mutex);
}

static struct task *unlink_one(void)
{
	struct task *t = lifo ? pool.newest : pool.oldest;

	*(t->previous ? &t->previous->next : &pool.oldest) = t->next;
	*(t->next ? &t->next->previous : &pool.newest) = t->previous;
	Take_Stamp(t->number, --pool.n);
	return t;
}

/* Waits for a task; NULL: all is done. */
static struct task *take(void)
{
	struct task *t = NULL;

	pthread_mutex_lock(&pool.mutex);
	while (!pool.n && !pool.done)
		pthread_cond_wait(&pool.changed, &pool.mutex);
	if (pool.n)
		t = unlink_one();
	pthread_mutex_unlock(&pool.mutex);
	return t;
}

static void pool_close(void)
{
	pthread_mutex_lock(&pool.mutex);
	pool.done = true;
	pthread_cond_broadcast(&pool.changed);
	pthread_mutex_unlock(&pool.mutex);
}

/* ---- tasks ---- */

static size_t product_bytes(const struct task *t)
{
	return (size_t)t->size * (size_t)t->size * sizeof *t->product;
}

static void products_count(size_t now)
{
	size_t old = most;

	while (now > old && !atomic_compare_exchange_weak(&most, &old, now))
		continue;
	Products_Stamp(now);
}

static struct task *task_new(struct task *parent, int n, const double *a, const double *b)
{
	struct task *t = calloc(1, sizeof *t);

	t->number = atomic_fetch_add(&numbers, 1);
	t->size = n;
	t->a = a;
	t->b = b;
	t->parent = parent;
	t->product = calloc(1, product_bytes(t));
	products_count(atomic_fetch_add(&bytes, product_bytes(t)) + product_bytes(t));
	return t;
}

static void task_free(struct task *t)
{
	size_t gone = product_bytes(t);

	free(t->product);
	free(t);
	products_count(atomic_fetch_sub(&bytes, gone) - gone);
}

/* Part i is the product of two quarters: the upper or lower half of a, the left or right one of b. */
static void split(struct task *t)
{
	int half = t->size / 2;

	SplitBegin_Stamp(t->number, t->size);
	t->left = PARTS;
	for (int i = 0; i < PARTS; i++) {
		int row = i / 4 * half, column = i / 2 % 2 * half, middle = i % 2 * half;

		t->parts[i] = task_new(t, half, t->a + row * size + middle, t->b + middle * size + column);
	}
	for (int i = 0; i < PARTS; i++)
		put(t->parts[i]);
	SplitEnd_Stamp(t->number);
}

static void multiply(struct task *t)
{
	int n = t->size;

	MultiplyBegin_Stamp(t->number, n);
	for (int i = 0; i < n; i++)
		for (int k = 0; k < n; k++) {
			double factor = t->a[i * size + k];

			for (int j = 0; j < n; j++)
				t->product[i * n + j] += factor * t->b[k * size + j];
		}
	MultiplyEnd_Stamp(t->number);
}

static void add(struct task *t)
{
	int n = t->size, half = n / 2;

	AddBegin_Stamp(t->number, n);
	for (int p = 0; p < PARTS; p++) {
		double *quarter = t->product + p / 4 * half * n + p / 2 % 2 * half;
		const double *part = t->parts[p]->product;

		for (int i = 0; i < half; i++)
			for (int j = 0; j < half; j++)
				quarter[i * n + j] += part[i * half + j];
		task_free(t->parts[p]);
	}
	AddEnd_Stamp(t->number);
}

/* Who does the last part of a task adds them up, and so on upwards. */
static void finish(struct task *t)
{
	while (t->parent && atomic_fetch_sub(&t->parent->left, 1) == 1) {
		t = t->parent;
		add(t);
	}
	if (!t->parent)
		pool_close();
}

static void *work(void *number)
{
	char name[16];
	struct task *t;

	snprintf(name, sizeof name, "worker %d", (int)(long)number);
	glimpse_thread_name(name);
	while ((t = take())) {
		if (t->size > leaf) {
			split(t);
			continue;
		}
		multiply(t);
		finish(t);
	}
	return NULL;
}

/* ---- the program ---- */

static double *matrix_random(void)
{
	double *m = malloc((size_t)size * (size_t)size * sizeof *m);

	for (int i = 0; i < size * size; i++)
		m[i] = (double)rand() / RAND_MAX;
	return m;
}

/* How far C x is from A (B x), for x of ones. */
static double error_of(const double *a, const double *b, const double *c)
{
	double *bx = calloc((size_t)size, sizeof *bx), worst = 0;

	for (int i = 0; i < size; i++)
		for (int j = 0; j < size; j++)
			bx[i] += b[i * size + j];
	for (int i = 0; i < size; i++) {
		double left = 0, right = 0;

		for (int j = 0; j < size; j++) {
			left += c[i * size + j];
			right += a[i * size + j] * bx[j];
		}
		worst = fmax(worst, fabs(left - right) / right);
	}
	free(bx);
	return worst;
}

static void usage(void)
{
	fputs("usage: matrix lifo|fifo [-n SIZE] [-l LEAF] [-t THREADS]\n"
	      "SIZE and LEAF are powers of two.\n", stderr);
	exit(2);
}

static int number(const char *text, int least)
{
	char *end;
	long n = strtol(text, &end, 10);

	if (*end || n < least || n > 8192)
		usage();
	return (int)n;
}

static void arguments(int argc, char **argv)
{
	int c;

	while ((c = getopt(argc, argv, "n:l:t:")) != -1)
		if (c == 'n')
			size = number(optarg, 2);
		else if (c == 'l')
			leaf = number(optarg, 2);
		else if (c == 't')
			nthreads = number(optarg, 1);
		else
			usage();
	if (optind + 1 != argc || (strcmp(argv[optind], "lifo") && strcmp(argv[optind], "fifo")) ||
	    size & (size - 1) || leaf & (leaf - 1))
		usage();
	lifo = strcmp(argv[optind], "lifo") == 0;
}

int main(int argc, char **argv)
{
	double *a, *b, error;
	pthread_t *threads;
	struct task *whole;

	arguments(argc, argv);
	a = matrix_random();
	b = matrix_random();
	threads = malloc((size_t)nthreads * sizeof *threads);
	whole = task_new(NULL, size, a, b);
	put(whole);
	for (long i = 0; i < nthreads; i++)
		pthread_create(&threads[i], NULL, work, (void *)i);
	for (int i = 0; i < nthreads; i++)
		pthread_join(threads[i], NULL);
	error = error_of(a, b, whole->product);
	printf("%s: %d tasks, at most %.1f MiB of products at once, error %.0e\n", argv[optind],
	       numbers, (double)most / 1048576, error);
	task_free(whole);
	free(threads);
	free(a);
	free(b);
	return error > 1e-9;
}
