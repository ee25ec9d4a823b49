/* What a thread did while another one waited for it. */
#include "base/array.h"
#include "viewers/gorge/answers/answers.h"
#include "viewers/gorge/answers/request.h"
#include "viewers/gorge/query/lookup.h"
#include "viewers/gorge/server/wait_search.h"
#include <stdlib.h>

/*
 * Finds who waits for whom, unless that is done. Nothing changes the index while a slow request is
 * answered.
 */
static const struct why *known_waits(struct session *s)
{
	struct session *common = s->common;
	struct task *task;
	struct why *made;

	if (common->waits)
		return common->waits;
	task = analysis_begin(s);
	made = found_waits_new(s->index->trace);
	analysis_end(s, task);
	pthread_mutex_lock(&common->lock);
	common->waits = made;
	pthread_mutex_unlock(&common->lock);
	return made;
}

/* The thread that waits is that of the later event: of a cause, the one that goes on. */
static uint32_t waiting_thread(const struct trace *t, const struct instance *i)
{
	const struct event *later = i->partner.time > i->anchor.time ? &i->partner : &i->anchor;
	uint32_t thread = 0;

	while (thread + 1 < t->nthreads && t->threads[thread].number != later->thread)
		thread++;
	return thread;
}

struct reply answer_meanwhile(struct session *s, const struct http_request *request)
{
	const struct interval *interval = session_interval(s, http_value(request, "interval"));
	const struct trace *t = s->index->trace;
	const struct why *waits;
	struct waited found;
	struct reply_stream w;
	struct instance i;
	struct json json;
	size_t index;

	if (!interval ||
	    !request_index(request, "index", lookup_instances(s->index, interval), &index) ||
	    !lookup_instance(s->index, interval, index, &i))
		return reply_text(400, "Unknown instance.");
	json = reply_begin_json(&w);
	waits = i.partner.record ? known_waits(s) : NULL;
	if (waits && found_waits_look(waits, waiting_thread(t, &i), i.start, i.end, &found)) {
		json_string(&json, "for", t->threads[found.thread].label);
		json_int(&json, "time", found.time);
		if (found.did)
			json_string(&json, "did", found.did);
		free(found.did);
	}
	return reply_end_json(&w, &json);
}
