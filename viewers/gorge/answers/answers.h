/* Answers the page's requests, address by address. */
#ifndef GLIMPSE_GORGE_ANSWERS_ANSWERS_H
#define GLIMPSE_GORGE_ANSWERS_ANSWERS_H

#include "viewers/gorge/answers/routes.h"
#include "viewers/gorge/answers/session.h"

typedef struct reply answer_function(struct session *s, const struct http_request *request);

#define ROUTE_ANSWER(path, post, pace, answer) answer_function answer;
ROUTES(ROUTE_ANSWER)
#undef ROUTE_ANSWER

/* ---- what threads did in a part of the time of a picture (shares.c) ---- */

/* Reads the window that a request selects. Returns false if it selects none. */
bool request_selects(const struct http_request *request, struct window *w);
/*
 * Returns the scene of a selection, in which threads have the lanes of the picture, or parts of
 * them; NULL: it cannot be built. scene_free() frees it.
 */
struct scene *answers_selected(struct session *s, const struct http_request *request,
			       const struct window *w);

/* ---- bars of sampled stacks (flames.c) ---- */

/* Writes what the function is that a bar of the scene's stacks stands for. */
void write_stack(struct session *s, const struct scene *scene, size_t bar, struct json *j);

/*
 * ---- what a server (viewers/gorge/server) and a document (viewers/gorge/wasm) each do their way:
 * also the answers page, document, requests, stop, headline, why, path, meanwhile and
 * differences ----
 */

/*
 * What a document says of analyses that were made of other definitions than those that it has now.
 */
#define OTHER_DEFINITIONS \
	"The findings and flame graphs of this document belong to the definitions it was written with. For " \
	"other definitions, open the run with gorge."

/*
 * Returns what flame graphs of memory are made from; NULL: there is nothing, and *missing says why.
 */
struct memory_window;
const struct memory_window *session_memory(struct session *s, const char **missing);

/*
 * Take the right to match in the trace for an analysis, which is not made to be stopped half-way,
 * and give it back. What it found is kept for the next request, even if nobody waits for this one
 * any more.
 */
struct task;
struct task *analysis_begin(struct session *s);
void analysis_end(struct session *s, struct task *task);

/* Lets pictures go before the calling thread from now on. */
void thread_give_way(void);

/* Returns the threads of a scene's lanes, by index; to be freed. */
bool *answers_threads(const struct scene *s, const struct trace *t);

/*
 * Answers a request from a session of its own, after those that came before it; pictured: it is
 * about the picture that it asks for.
 */
struct reply answer_slowly(struct session *s, const struct http_request *request, bool pictured,
			   answer_function *answer);

/*
 * Returns the index of the same logs under the specification in a text that a browser sent, which
 * cannot import files. before: the present index, or NULL to read all logs anew. Returns NULL, and
 * diag is told, if the text is wrong.
 */
struct trace_index *reopen_index(const struct log_source *source, struct trace_index *before,
				 const char *text, struct diag *diag);

#endif
