/* Where the messages to one thread wait until it takes them. */
#ifndef MESSAGES_MAILBOX_H
#define MESSAGES_MAILBOX_H

#include <pthread.h>

enum { COLUMNS = 512 };

struct message {
	struct message *next;
	int src;                /* the sender */
	int seq;                /* the how-manieth of its messages, from 0 */
	double row[COLUMNS];
};

struct mailbox {
	pthread_mutex_t lock;
	pthread_cond_t arrived;
	struct message *first;
};

void mailbox_init(struct mailbox *m);
void mailbox_destroy(struct mailbox *m);

/* The message is the mailbox's from here on. */
void mailbox_put(struct mailbox *m, struct message *message);

/* Waits for the oldest message from src; it is the caller's to free. */
struct message *mailbox_take(struct mailbox *m, int src);

#endif
