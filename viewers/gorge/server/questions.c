/* The answers to questions about the whole trace. */
#include "base/array.h"
#include "viewers/gorge/index/event_index.h"
#include "viewers/gorge/query/distribution.h"
#include "viewers/gorge/query/find.h"
#include "viewers/gorge/query/violations.h"
#include "viewers/gorge/server/request.h"
#include "viewers/gorge/server/session.h"
#include <stdlib.h>

#define JSON_TYPE "application/json"

struct reply answer_find(struct session *s, const struct http_request *a)
{
	const char *question = http_value(a, "question");
	struct reply_stream complaints, w;
	struct diag diag = {.out = reply_begin(&complaints), .program = "gorge"};
	struct json json = json_begin(reply_begin(&w), 0);
	struct reply said, found;
	bool good;

	json_object(&json, NULL);
	good = find_write(s->index, question ? question : "", &json, &diag);
	json_close(&json);
	said = reply_end(&complaints, "text/plain; charset=utf-8");
	found = reply_end(&w, JSON_TYPE);
	said.status = 400;
	free(good ? said.body : found.body);
	return good ? found : said;
}

/*
 * Checks the assertions, unless that is done; pictures that were made before do not show what breaks
 * them. Returns NULL if it was stopped. Nothing changes the index while a slow request is answered.
 */
static const struct violations *known_violations(struct session *s)
{
	struct session *common = s->common;
	struct violations *found;

	if (common->violations)
		return common->violations;
	found = violations_new(s->index);
	if (task_stopped()) {
		violations_free(found);
		return NULL;
	}
	pthread_mutex_lock(&common->lock);
	common->violations = found;
	session_forget(common);
	pthread_mutex_unlock(&common->lock);
	return found;
}

struct reply answer_assertions(struct session *s, const struct http_request *a)
{
	const struct violations *found = known_violations(s);
	struct reply_stream w;
	struct json json = json_begin(reply_begin(&w), 0);

	(void)a;
	json_object(&json, NULL);
	if (found)
		violations_write(found, &json, "assertions");
	json_close(&json);
	return reply_end(&w, JSON_TYPE);
}

struct reply answer_violations(struct session *s, const struct http_request *a)
{
	struct reply_stream w;
	const struct violations *found;
	struct json json;
	size_t assertion;

	if (!request_index(a, "assertion", s->index->trace->spec->nassertions, &assertion))
		return reply_text(400, "There is no such assertion.");
	found = known_violations(s);
	json = json_begin(reply_begin(&w), 0);
	json_object(&json, NULL);
	if (found)
		violations_write_worst(found, (unsigned)assertion, &json);
	json_close(&json);
	return reply_end(&w, JSON_TYPE);
}

/* The threads of the scene's lanes, by index; to be freed. */
static bool *shown_threads(const struct scene *s, const struct trace *t)
{
	bool *shown = array_zero(t->nthreads + 1, sizeof *shown);

	for (unsigned i = 0; i < s->nlanes; i++)
		for (size_t r = 0; r < s->lanes[i].threads.n; r++) {
			const struct thread_run *run = &s->lanes[i].threads.at[r];
			for (uint64_t number = run->first; number <= run->last; number++)
				shown[thread_index(t, (uint32_t)number)] = true;
		}
	return shown;
}

struct reply answer_durations(struct session *s, const struct http_request *a)
{
	const struct interval *interval = session_interval(s, http_value(a, "interval"));
	struct duration_query of = {.least = 0, .most = -1};
	struct reply failure;
	const struct picture *p = interval ? session_picture(s, a, &failure) : NULL;
	struct reply_stream w;
	struct json json;
	bool *threads;

	if (!interval)
		return reply_text(400, "There is no such interval.");
	if (!p)
		return failure;
	of.window = &p->scene->window;
	of.threads = threads = shown_threads(p->scene, s->index->trace);
	request_duration(a, "least", &of.least);
	request_duration(a, "most", &of.most);
	json = json_begin(reply_begin(&w), 0);
	json_object(&json, NULL);
	json_string(&json, "interval", interval->name);
	distribution_write(s->index, interval, &of, &json);
	json_close(&json);
	free(threads);
	return reply_end(&w, JSON_TYPE);
}

/* Of the intervals in the picture; what has no partner is counted there. */
static void write_statistics(struct session *s, const struct scene *scene, struct json *j)
{
	bool *threads = shown_threads(scene, s->index->trace);
	struct duration_query of = {.window = &scene->window, .threads = threads};

	json_array(j, "intervals");
	for (unsigned i = 0; i < scene->nintervals; i++) {
		const struct interval_key *key = &scene->intervals[i];
		json_object(j, NULL);
		json_string(j, "name", key->name);
		json_uint(j, "unmatched", key->unmatched);
		distribution_write_numbers(s->index, session_interval(s, key->name), &of, j);
		json_close(j);
	}
	json_close(j);
	free(threads);
}

struct reply answer_statistics(struct session *s, const struct http_request *a)
{
	struct reply failure;
	const struct picture *p = session_picture(s, a, &failure);
	struct reply_stream w;
	struct json json;

	if (!p)
		return failure;
	json = json_begin(reply_begin(&w), 0);
	json_object(&json, NULL);
	write_statistics(s, p->scene, &json);
	json_close(&json);
	return reply_end(&w, JSON_TYPE);
}
