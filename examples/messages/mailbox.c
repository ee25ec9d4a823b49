#include "mailbox.h"

#include <stdlib.h>

void mailbox_init(struct mailbox *m)
{
	pthread_mutex_init(&m->lock, NULL);
	pthread_cond_init(&m->arrived, NULL);
	m->first = NULL;
}

void mailbox_destroy(struct mailbox *m)
{
	while (m->first) {
		struct message *next = m->first->next;

		free(m->first);
		m->first = next;
	}
	pthread_cond_destroy(&m->arrived);
	pthread_mutex_destroy(&m->lock);
}

void mailbox_put(struct mailbox *m, struct message *message)
{
	struct message **end = &m->first;

	message->next = NULL;
	pthread_mutex_lock(&m->lock);
	while (*end)
		end = &(*end)->next;
	*end = message;
	pthread_cond_signal(&m->arrived);
	pthread_mutex_unlock(&m->lock);
}

/* Where the oldest message from src hangs, or where the list ends. */
static struct message **find(struct mailbox *m, int src)
{
	struct message **place = &m->first;

	while (*place && (*place)->src != src)
		place = &(*place)->next;
	return place;
}

struct message *mailbox_take(struct mailbox *m, int src)
{
	struct message **place, *message;

	pthread_mutex_lock(&m->lock);
	while (!*(place = find(m, src)))
		pthread_cond_wait(&m->arrived, &m->lock);
	message = *place;
	*place = message->next;
	pthread_mutex_unlock(&m->lock);
	return message;
}
