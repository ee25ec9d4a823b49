/* Makes the index of objects in the background: of a large trace that takes seconds. */
#include "base/array.h"
#include "base/deadline.h"
#include "viewers/gorge/index/object_index.h"
#include <errno.h>
#include <stdlib.h>
#include <time.h>

struct object_finder {
	struct trace_index *index;
	pthread_t thread;
	pthread_mutex_t lock;
	pthread_cond_t found_one;
	atomic_bool stop;
	struct object_index *found; /* under the lock; NULL: not yet */
};

static pthread_mutex_t starting = PTHREAD_MUTEX_INITIALIZER;

static void *find(void *argument)
{
	struct object_finder *f = argument;
	struct object_index *found = object_index_new(f->index, &f->stop);

	pthread_mutex_lock(&f->lock);
	f->found = found;
	pthread_cond_broadcast(&f->found_one);
	pthread_mutex_unlock(&f->lock);
	return NULL;
}

static struct object_finder *object_finder_start(struct trace_index *t)
{
	struct object_finder *f = array_zero(1, sizeof *f);

	f->index = t;
	pthread_mutex_init(&f->lock, NULL);
	pthread_cond_init(&f->found_one, NULL);
	if (pthread_create(&f->thread, NULL, find, f) != 0)
		array_fail("cannot start a thread");
	return f;
}

struct object_index *trace_index_objects(struct trace_index *t, long patience)
{
	struct timespec end = deadline_after(CLOCK_REALTIME, patience < 0 ? 0 : patience);
	struct object_index *found;
	struct object_finder *f;
	int failed = 0;

	pthread_mutex_lock(&starting);
	if (!t->objects)
		t->objects = object_finder_start(t);
	f = t->objects;
	pthread_mutex_unlock(&starting);
	pthread_mutex_lock(&f->lock);
	while (!f->found && failed != ETIMEDOUT)
		failed = patience < 0 ? pthread_cond_wait(&f->found_one, &f->lock)
				      : pthread_cond_timedwait(&f->found_one, &f->lock, &end);
	found = f->found;
	pthread_mutex_unlock(&f->lock);
	return found;
}

void trace_index_forget_objects(struct trace_index *t)
{
	struct object_finder *f = t->objects;

	if (!f)
		return;
	f->stop = true;
	pthread_join(f->thread, NULL);
	object_index_free(f->found);
	pthread_cond_destroy(&f->found_one);
	pthread_mutex_destroy(&f->lock);
	free(f);
	t->objects = NULL;
}
