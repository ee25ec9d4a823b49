/* Whether what is shown has grown. A page asks for this while it is open, which keeps its connection. */
#include "viewers/gorge/index/trace_index.h"
#include "viewers/gorge/server/session.h"

static const char *const run_names[] = {"past", "running", "ended", "died"};

struct reply answer_pulse(struct session *s, const struct ask *a)
{
	struct searcher_age age = searcher_age(pyramid_searcher(s->model->pyramid));
	struct writing w;
	struct json json = json_begin(writing_begin(&w), 1);

	(void)a;
	json_object(&json, NULL);
	json_string(&json, "run", run_names[s->run]);
	json_uint(&json, "revision", s->revision);
	json_uint(&json, "redefined", s->redefined);
	json_uint(&json, "count", s->model->trace->events);
	json_int(&json, "duration", s->model->trace->duration);
	if (age.old)
		json_int(&json, "until", age.until);
	json_close(&json);
	return writing_end(&w, "application/json");
}
