/* Work on several threads, of which a part is to be done in order: each waits for its turn. */
#ifndef GLIMPSE_BASE_TICKET_H
#define GLIMPSE_BASE_TICKET_H

#include <pthread.h>
#include <stddef.h>

/* Numbers are given out in ascending order from 0, as parallel_for() does. */
struct tickets {
	pthread_mutex_t mutex;
	pthread_cond_t turn;
	size_t next;
};

#define TICKETS_INITIALIZER {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, 0}

static inline void tickets_init(struct tickets *t)
{
	pthread_mutex_init(&t->mutex, NULL);
	pthread_cond_init(&t->turn, NULL);
	t->next = 0;
}

static inline void tickets_wait(struct tickets *t, size_t number)
{
	pthread_mutex_lock(&t->mutex);
	while (t->next != number)
		pthread_cond_wait(&t->turn, &t->mutex);
}

static inline void tickets_pass(struct tickets *t)
{
	t->next++;
	pthread_cond_broadcast(&t->turn);
	pthread_mutex_unlock(&t->mutex);
}

#endif
