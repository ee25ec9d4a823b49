/* Whether what is shown has grown. A page asks for this while it is open, which keeps its connection. */
#include "viewers/gorge/index/trace_index.h"
#include "viewers/gorge/server/session.h"

static const char *const run_names[] = {"past", "running", "ended", "died"};

struct reply answer_pulse(struct session *s, const struct http_request *a)
{
	struct matcher_state generation = matcher_state(s->index->matcher);
	struct reply_stream w;
	struct json json = json_begin(reply_begin(&w), 1);

	(void)a;
	json_object(&json, NULL);
	json_string(&json, "run", run_names[s->run]);
	json_uint(&json, "revision", s->revision);
	json_uint(&json, "redefined", s->redefined);
	json_uint(&json, "count", s->index->trace->events);
	json_int(&json, "duration", s->index->trace->duration);
	if (generation.old)
		json_int(&json, "until", generation.until);
	json_close(&json);
	return reply_end(&w, "application/json");
}
