#include "viewers/gorge/server/attempt.h"
#include "base/array.h"
#include "base/deadline.h"
#include "base/file_shrink.h"
#include "viewers/gorge/answers/session.h"
#include "viewers/gorge/server/notes_file.h"
#include "viewers/gorge/server/upper_run.h"
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>
#include <time.h>

/* Milliseconds between two looks for a log that became shorter. */
enum { BEAT = 100 };

/* What a thread of its own needs, for it may stop with it. */
struct attempt {
	void *session;
	struct http_request *request;
	struct reply reply;
	sem_t done;
};

static struct reply reply_shrunk(void)
{
	char *text = text_format("%s: " FILE_SHRINK_WHY "; start gorge again", file_shrink_path());
	struct reply r = reply_text(500, text);

	free(text);
	return r;
}

static void *attempt_run(void *context)
{
	struct attempt *a = context;

	if (!notes_file_answer(a->session, a->request, &a->reply))
		a->reply = upper_run_answer(a->session, a->request);
	sem_post(&a->done);
	return NULL;
}

/* Waits until the answer is there. Returns false if a log became shorter before. */
static bool attempt_wait(struct attempt *a)
{
	for (;;) {
		bool over = file_shrink_path();
		struct timespec until = deadline_after(CLOCK_REALTIME, BEAT);

		if (sem_timedwait(&a->done, &until) == 0)
			return true;
		if (over)
			return false;
	}
}

struct reply attempt_answer(void *session, const struct http_request *request)
{
	struct attempt *a;
	struct reply reply;
	pthread_t thread;

	if (file_shrink_path())
		return reply_shrunk();
	a = array_zero(1, sizeof *a);
	a->session = session;
	a->request = http_request_copy(request);
	sem_init(&a->done, 0, 0);
	if (pthread_create(&thread, NULL, attempt_run, a) != 0) {
		reply = reply_text(503, "The server cannot start another thread; try again.");
	} else if (!attempt_wait(a)) {
		pthread_detach(thread);
		return reply_shrunk();
	} else {
		pthread_join(thread, NULL);
		reply = a->reply;
	}
	sem_destroy(&a->done);
	http_request_free(a->request);
	free(a);
	return reply;
}
