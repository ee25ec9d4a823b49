/* One trace being looked at: answers what the page asks. */
#ifndef GLIMPSE_GORGE_SERVER_SESSION_H
#define GLIMPSE_GORGE_SERVER_SESSION_H

#include "viewers/gorge/draw/picture.h"
#include "viewers/gorge/options.h"
#include "viewers/gorge/server/request_queue.h"
#include "viewers/server.h"
#include <pthread.h>
#include <stdatomic.h>

/* Whether a page looks at it; for --once. */
enum presence { PRESENCE_AWAITED, PRESENCE_OPEN, PRESENCE_LEFT };

/* Programs that are over were, or are with --follow seen to be. */
enum run { RUN_PAST, RUN_LIVE, RUN_ENDED, RUN_DIED };

/*
 * Questions that take long are answered from a session of their own, which holds the model and the
 * picture that there were when they were asked: pictures do not wait for them.
 */
struct session {
	struct session *common;         /* whose model and picture these are; itself, but for such a one */
	pthread_mutex_t lock;           /* of the answers, and of who reads the logs again */
	struct request_queue *queue;        /* the questions that take long */
	const struct options *options;
	struct trace_index *index;
	struct violations *violations;  /* of the index; NULL: not asked for yet */
	char *definitions;              /* what the user wrote instead of the specification, or NULL */
	unsigned redefined;             /* how often the definitions were changed */
	enum run run;
	unsigned models;                /* how many there were before this one, and */
	unsigned revision;              /* how often more was known of the trace */
	struct picture *picture;        /* the newest one, and what was asked for to get it */
	char *asked;
	_Atomic enum presence presence;
};

/* Takes the model. */
struct session *session_new(const struct options *o, struct trace_index *m);
void session_free(struct session *s);
/* Under the lock: shows another model, which it takes. */
void session_replace(struct session *s, struct trace_index *m);

/* For server_start(); context is the session. Several threads may call it at once. */
struct reply session_answer(void *context, const struct http_request *a);

/* The picture that a request is about. NULL: *failure is the answer. */
const struct picture *session_picture(struct session *s, const struct http_request *a,
				      struct reply *failure);

/* NULL: there is none of that name, or no name. */
const struct interval *session_interval(const struct session *s, const char *name);
/* The newest picture is not what the index shows any more. */
void session_forget(struct session *s);
/* The same, and what breaks assertions is not known any more. */
void session_change(struct session *s);

/* Parts of the answers. Each writes to a reply. */
typedef struct reply session_part(struct session *s, const struct http_request *a);
/* Gives what the part answers from a session of its own. pictured: it is about the picture asked for. */
struct reply session_answer_slowly(struct session *s, const struct http_request *a, bool pictured, session_part *answer);
struct reply reply_text(unsigned status, const char *text);
struct reply answer_page(struct session *s, const struct http_request *a);
struct reply answer_start(struct session *s, const struct http_request *a);
struct reply answer_view(struct session *s, const struct http_request *a);
struct reply answer_state(struct session *s, const struct http_request *a);
struct reply answer_overview(struct session *s, const struct http_request *a);
struct reply answer_at(struct session *s, const struct http_request *a);
struct reply answer_step(struct session *s, const struct http_request *a);
struct reply answer_document(struct session *s, const struct http_request *a);
struct reply answer_durations(struct session *s, const struct http_request *a);
struct reply answer_statistics(struct session *s, const struct http_request *a);
struct reply answer_tracks(struct session *s, const struct http_request *a);
struct reply answer_find(struct session *s, const struct http_request *a);
struct reply answer_assertions(struct session *s, const struct http_request *a);
struct reply answer_violations(struct session *s, const struct http_request *a);
struct reply answer_definitions(struct session *s, const struct http_request *a);
struct reply answer_pulse(struct session *s, const struct http_request *a);
struct reply answer_requests(struct session *s, const struct http_request *a);
struct reply answer_stop(struct session *s, const struct http_request *a);
struct reply answer_presence(struct session *s, const struct http_request *a);

/* Collects an answer of status 200: write to what text_begin() gives, then end it. */
struct reply_stream {
	FILE *out;
	char *text;
	size_t size;
};
FILE *reply_begin(struct reply_stream *w);
struct reply reply_end(struct reply_stream *w, const char *type);

#endif
