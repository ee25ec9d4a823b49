/* Questions that take long: one at a time, beside the pictures. */
#include "viewers/gorge/session.h"
#include "viewers/vector.h"
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

/* How much they give way to pictures: see nice(2). */
enum { NICE = 5 };

struct slow {
	struct session own;
	const struct ask *ask;
	session_part *answer;
	struct reply reply;
};

/* Holds what there is now. False: there is no such picture, and the reply says why. */
static bool begin(struct slow *q, struct session *s, bool pictured)
{
	bool good;

	pthread_mutex_lock(&s->lock);
	good = !pictured || session_picture(s, q->ask, &q->reply);
	if (good) {
		q->own = (struct session){
		    .common = s,
		    .options = s->options,
		    .model = model_hold(s->model),
		    .picture = pictured ? picture_hold(s->picture) : NULL,
		    .asked = pictured ? text_of("%s", s->asked) : NULL,
		};
	}
	pthread_mutex_unlock(&s->lock);
	return good;
}

static void end(struct slow *q)
{
	picture_free(q->own.picture);
	free(q->own.asked);
	model_free(q->own.model);
}

/* A thread of its own, for what gives way once never gets its rank back. */
static void *run(void *context)
{
	struct slow *q = context;

	setpriority(PRIO_PROCESS, (id_t)gettid(), NICE);
	q->reply = q->answer(&q->own, q->ask);
	return NULL;
}

struct reply session_slowly(struct session *s, const struct ask *a, bool pictured, session_part *answer)
{
	struct slow q = {.ask = a, .answer = answer};
	pthread_t thread;

	pthread_mutex_lock(&s->slow);
	if (begin(&q, s, pictured)) {
		if (pthread_create(&thread, NULL, run, &q) == 0)
			pthread_join(thread, NULL);
		else
			q.reply = answer(&q.own, a);
		end(&q);
	}
	pthread_mutex_unlock(&s->slow);
	return q.reply;
}
