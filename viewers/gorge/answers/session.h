/*
 * Keeps a session: one trace that a page shows, and its last picture. Its routes (routes.c) answer
 * the page's requests, in a server or within an html document.
 */
#ifndef GLIMPSE_GORGE_ANSWERS_SESSION_H
#define GLIMPSE_GORGE_ANSWERS_SESSION_H

#include "viewers/gorge/draw/picture.h"
#include "viewers/web/server.h"
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

/* The search for bottlenecks (viewers/gorge/server/why_run.h). */
struct why_run;
/* Stops it, and frees it then; NULL is nothing. */
void why_run_release(struct why_run *r);
/* The findings about waits of threads (analysis/why). */
struct why;
void found_waits_free(struct why *w);

/* Whether a page looks at the trace; for --once. */
enum presence { PRESENCE_AWAITED, PRESENCE_OPEN, PRESENCE_LEFT };

/* Whether the programs run. Without --follow they are taken to be over. */
enum program_state { RUN_PAST, RUN_LIVE, RUN_ENDED, RUN_DIED };

/*
 * A request that takes long is answered from a session of its own, which holds the index and the
 * picture of the moment when it came: pictures do not wait for it.
 */
struct session {
	struct session *common;          /* of all requests; itself, but for such a one */
	pthread_mutex_t lock;            /* of answers, and of whoever changes the index */
	const struct view *view;         /* what the command line asked for */
	const struct log_source *source; /* NULL in an html document */
	bool followed;
	struct trace_index *index;
	struct violations *violations;       /* of the index; NULL: not asked for yet */
	struct memory_window *memory_window; /* of the trace; NULL: not asked for yet */
	struct why *waits;                   /* who lets whom wait; NULL: not asked for yet */
	struct why_run *why; /* the search for bottlenecks; NULL: not asked for yet */
	/* while the program runs: the last search that has ended, and the next one; or NULL */
	struct why_run *so_far, *searching;
	/* predicted runs (viewers/gorge/server/whatif.h); NULL: this is one, or in a document */
	struct whatif *whatif;
	struct session *upper; /* the run that is shown above this one; NULL: none */
	const char *directory; /* of one of two runs, as the user gave it; NULL: there is one */
	char *definitions;     /* which replace the specification, or NULL */
	char *notes;           /* a text as query/notes.h has it; NULL: none */
	unsigned redefined;    /* how often the definitions were changed */
	unsigned replaced;     /* how often the index was replaced */
	unsigned revision;     /* how often more became known of the trace */
	enum program_state run;
	struct session *logical;     /* the same in logical order; NULL: not asked for yet */
	bool outdated;               /* a logical one: what it has the order of has changed */
	struct request_queue *queue; /* of requests that take long; NULL in an html document */
	struct picture *picture;     /* the last one, */
	char *asked;                 /* and what was asked for */
	_Atomic enum presence presence;
};

/* Takes the index. */
struct session *session_new(const struct view *view, struct trace_index *index);
void session_free(struct session *s);

/*
 * Returns the session of the order that a request names, or NULL for that of time: another session
 * of the same trace, which lasts as long.
 */
struct session *session_in_order(struct session *s, const char *order);

/* Drops the picture; drops all that is known of the index, too. */
void session_forget(struct session *s);
void session_change(struct session *s);
/* Shows another index, which it takes; under the lock. */
void session_replace(struct session *s, struct trace_index *index);

/* Returns the picture that a request is about, or NULL: then *failure is the answer. */
const struct picture *session_picture(struct session *s, const struct http_request *request,
				      struct reply *failure);
/* Returns the interval of a name, or NULL if the name is NULL or there is none. */
const struct interval *session_interval(const struct session *s, const char *name);

/* Answers a request: a server_handler, whose context is the session (routes.c). */
struct reply session_answer(void *session, const struct http_request *request);

/* ---- replies ---- */

/* A reply of status 200 in the making. */
struct reply_stream {
	FILE *out;
	char *text;
	size_t size;
};
/* Returns where to write the reply. */
FILE *reply_begin(struct reply_stream *r);
struct reply reply_end(struct reply_stream *r, const char *type);
/* Begins and ends a reply that is an object of JSON. */
struct json reply_begin_json(struct reply_stream *r);
struct reply reply_end_json(struct reply_stream *r, struct json *j);
/* Returns a reply of one line of text. */
struct reply reply_text(unsigned status, const char *text);

#endif
