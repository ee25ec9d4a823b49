#include "sequence.h"

#include "lock.h"
#include <stdlib.h>

bool sequence_init(struct sequence *s, unsigned room)
{
	pthread_mutex_init(&s->lock, NULL);
	pthread_cond_init(&s->changed, NULL);
	s->slots = calloc(room, sizeof *s->slots);
	s->room = s->slots ? room : 0;
	s->closed = false;
	return s->slots;
}

void sequence_put(struct sequence *s, struct block *b)
{
	lock_take(&s->lock);
	s->slots[b->number % s->room] = b;
	pthread_mutex_unlock(&s->lock);
	pthread_cond_signal(&s->changed);      /* not before: who is woken may take our processor */
}

struct block *sequence_take(struct sequence *s, int number)
{
	struct block **slot = &s->slots[number % s->room];
	struct block *b = NULL;

	lock_take(&s->lock);
	while (!*slot && !s->closed)
		pthread_cond_wait(&s->changed, &s->lock);
	if (!s->closed) {
		b = *slot;
		*slot = NULL;
	}
	pthread_mutex_unlock(&s->lock);
	return b;
}

void sequence_close(struct sequence *s)
{
	lock_take(&s->lock);
	s->closed = true;
	pthread_cond_broadcast(&s->changed);
	pthread_mutex_unlock(&s->lock);
}

void sequence_free(struct sequence *s)
{
	for (unsigned i = 0; i < s->room; i++)
		block_free(s->slots[i]);
	free(s->slots);
	pthread_cond_destroy(&s->changed);
	pthread_mutex_destroy(&s->lock);
}
