#include "viewers/gorge/server/whatif.h"
#include "base/array.h"
#include "base/directory.h"
#include "base/monotonic.h"
#include "viewers/gorge/server/predicted_run.h"
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The result of a replay. */
struct ending {
	char *answer;              /* JSON; NULL: there is none, */
	char *why;                 /* and why not; NULL: it was stopped */
	char *asked;               /* the changes in words */
	struct predicted_run *run; /* NULL: there is none */
};

struct whatif {
	struct session *session;   /* of the recorded run */
	struct replayer *replayer; /* NULL: there is none */
	pthread_mutex_t turn;      /* of who begins or ends one; held before the lock */
	bool begun;                /* there is a thread to be joined; under the turn */
	pthread_t thread;
	pthread_mutex_t lock; /* of all below */
	unsigned number;      /* of the newest; 0: none yet */
	bool running, stopped;
	int64_t since;
	struct ending ending;
};

/* ---- one of them ---- */

/* Returns the file as a text; NULL if there is none. */
static char *file_text(const char *folder, const char *name)
{
	char *path = text_format("%s/%s", folder, name), *text = NULL;
	FILE *in = fopen(path, "r");

	if (in && getdelim(&text, &(size_t){0}, '\0', in) < 0) {
		free(text);
		text = NULL;
	}
	if (in)
		fclose(in);
	free(path);
	return text;
}

static void ending_free(struct ending *e)
{
	predicted_run_release(e->run);
	free(e->answer);
	free(e->why);
	free(e->asked);
	*e = (struct ending){0};
}

/* Opens what was predicted; the reason goes to *why if that fails. */
static struct predicted_run *result_open(const struct whatif *w, const char *folder, char **why)
{
	struct reply_stream complaints;
	struct diag diag = {.program = "gorge"};
	struct predicted_run *run;
	struct reply said;

	diag.out = reply_begin(&complaints);
	run = predicted_run_open(w->session, folder, &diag);
	said = reply_end(&complaints, "text/plain");
	if (run)
		free(said.body);
	else
		*why = said.body;
	return run;
}

/* Reads the folder of a replay that is done. */
static struct ending result_read(const struct whatif *w, const char *folder)
{
	struct ending e = {.answer = file_text(folder, "answer"),
			   .asked = file_text(folder, "asked")};
	char *path = text_format("%s/run", folder), *why = NULL;

	if (access(path, F_OK) == 0)
		e.run = result_open(w, folder, &why);
	else
		directory_remove(folder);
	free(path);
	if (why) {
		ending_free(&e);
		e.why = why;
	}
	return e;
}

static void result_take(struct whatif *w, const struct replayed *result)
{
	struct ending e = {0};

	if (result->done)
		e = result_read(w, result->folder);
	else if (*result->why)
		e.why = text_format("%s", result->why);
	pthread_mutex_lock(&w->lock);
	w->running = false;
	if (w->stopped)
		ending_free(&e);
	else
		w->ending = e;
	pthread_mutex_unlock(&w->lock);
}

static void *replay_thread(void *context)
{
	struct whatif *w = context;
	struct replayed *result = array_zero(1, sizeof *result);

	replayer_await(w->replayer, result);
	result_take(w, result);
	free(result);
	return NULL;
}

/* Stops what runs, and drops what is shown; in turn. Pages that still ask for it hold it. */
static void whatif_drop(struct whatif *w)
{
	bool runs;

	pthread_mutex_lock(&w->lock);
	runs = w->running;
	w->stopped = true;
	pthread_mutex_unlock(&w->lock);
	if (runs)
		replayer_stop(w->replayer);
	if (w->begun)
		pthread_join(w->thread, NULL);
	w->begun = false;
	pthread_mutex_lock(&w->lock);
	ending_free(&w->ending);
	pthread_mutex_unlock(&w->lock);
}

/* In turn. Returns false if no thread can be started. */
static bool whatif_begin(struct whatif *w, const struct whatif_change *c)
{
	whatif_drop(w);
	replayer_begin(w->replayer, c);
	pthread_mutex_lock(&w->lock);
	w->number++;
	w->running = true;
	w->stopped = false;
	w->since = monotonic_now();
	pthread_mutex_unlock(&w->lock);
	w->begun = pthread_create(&w->thread, NULL, replay_thread, w) == 0;
	if (w->begun)
		return true;
	replayer_stop(w->replayer);
	replay_thread(w);
	return false;
}

/* ---- answers ---- */

static void state_write(const struct whatif *w, FILE *out)
{
	static const char *const steps[REPLAY_STEPS] = {
	    [REPLAY_READS] = "reading the run",
	    [REPLAY_FINDS] = "finding what each thread did",
	    [REPLAY_UNCHANGED] = "replaying the run unchanged",
	    [REPLAY_CHANGED] = "replaying the run with the change",
	    [REPLAY_WRITES] = "writing the predicted run",
	    [REPLAY_OPENS] = "opening the predicted run",
	};
	struct json j = json_begin(out, 0);

	json_object(&j, NULL);
	json_uint(&j, "number", w->number);
	json_bool(&j, "running", w->running);
	if (w->running) {
		enum replay_step step = replayer_step(w->replayer);

		json_string(&j, "step", steps[step]);
		json_uint(&j, "done", step);
		json_uint(&j, "all", REPLAY_STEPS);
		json_int(&j, "for", monotonic_now() - w->since);
	}
	if (w->ending.why)
		json_string(&j, "why", w->ending.why);
	if (w->ending.answer) {
		json_string(&j, "asked", w->ending.asked);
		json_string(&j, "answer", w->ending.answer);
		json_bool(&j, "shown", w->ending.run);
	}
	json_close(&j);
}

static struct reply answer_state_of(struct whatif *w)
{
	struct reply_stream stream;
	FILE *out = reply_begin(&stream);

	pthread_mutex_lock(&w->lock);
	state_write(w, out);
	pthread_mutex_unlock(&w->lock);
	return reply_end(&stream, "application/json");
}

static struct reply reply_freed(unsigned status, char *text)
{
	struct reply r = reply_text(status, text);

	free(text);
	return r;
}

static struct reply answer_begin(struct whatif *w, const struct http_request *request)
{
	struct whatif_change *c;
	char *wrong;
	bool begun;

	if (!w->replayer)
		return reply_text(503,
				  "The process that replays runs has ended; start gorge again.");
	if (w->session->run == RUN_LIVE)
		return reply_text(400,
				  "The program is still running; ask again when it has ended.");
	c = array_new(1, sizeof *c);
	wrong = whatif_change_read(request, c);
	if (wrong) {
		free(c);
		return reply_freed(400, wrong);
	}
	pthread_mutex_lock(&w->turn);
	begun = whatif_begin(w, c);
	pthread_mutex_unlock(&w->turn);
	free(c);
	return begun ? answer_state_of(w)
		     : reply_text(503, "The server cannot start another thread; try again.");
}

static struct reply answer_end(struct whatif *w)
{
	pthread_mutex_lock(&w->turn);
	whatif_drop(w);
	pthread_mutex_unlock(&w->turn);
	return answer_state_of(w);
}

/* ---- the predicted run ---- */

static const char prefix[] = "predicted/";

/*
 * Returns what follows predicted/NUMBER/ of the run that is shown, which is held then; else NULL.
 */
static const char *rest_of(struct whatif *w, const char *path, struct predicted_run **run)
{
	const char *number = path + sizeof prefix - 1;
	char *end;
	unsigned long n = strtoul(number, &end, 10);

	*run = NULL;
	pthread_mutex_lock(&w->lock);
	if (*end == '/' && *number >= '0' && *number <= '9' && n == w->number && w->ending.run)
		*run = predicted_run_hold(w->ending.run);
	pthread_mutex_unlock(&w->lock);
	return *run ? end + 1 : NULL;
}

static struct reply answer_predicted(struct whatif *w, const struct http_request *request)
{
	struct predicted_run *run;
	struct http_request below = *request;
	struct reply r;

	below.path = rest_of(w, request->path, &run);
	if (!run)
		return reply_text(404, "This predicted run has been closed.");
	r = session_answer(predicted_run_session(run), &below);
	r.framed = !*below.path;
	predicted_run_release(run);
	return r;
}

struct reply whatif_answer(struct session *s, const struct http_request *request)
{
	bool begins = strcmp(request->path, "whatif") == 0,
	     ends = strcmp(request->path, "whatif-stop") == 0;

	if (strncmp(request->path, prefix, sizeof prefix - 1) == 0)
		return answer_predicted(s->whatif, request);
	if (!begins && !ends && strcmp(request->path, "whatif-state") != 0)
		return session_answer(s, request);
	if (request->post != (begins || ends))
		return reply_text(405, "This address does not accept this HTTP method.");
	return begins ? answer_begin(s->whatif, request)
	       : ends ? answer_end(s->whatif)
		      : answer_state_of(s->whatif);
}

/* ---- all ---- */

void whatif_new(struct session *s, struct replayer *replayer)
{
	struct whatif *w = array_zero(1, sizeof *w);

	w->session = s;
	w->replayer = replayer;
	pthread_mutex_init(&w->turn, NULL);
	pthread_mutex_init(&w->lock, NULL);
	s->whatif = w;
}

void whatif_free(struct whatif *w)
{
	whatif_drop(w);
	pthread_mutex_destroy(&w->turn);
	pthread_mutex_destroy(&w->lock);
	free(w);
}
