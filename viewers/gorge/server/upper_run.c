#include "viewers/gorge/server/upper_run.h"
#include "viewers/gorge/build/build.h"
#include "viewers/gorge/server/beside_session.h"
#include "viewers/gorge/server/whatif.h"
#include <string.h>

bool upper_run_open(struct session *s, const struct log_source *source, struct diag *diag)
{
	s->upper = beside_session_open(s, source, diag);
	if (!s->upper)
		return false;
	s->upper->directory = source->directories[0];
	s->directory = s->source->directories[0];
	return view_check(s->view, s->upper->index, diag);
}

void upper_run_close(struct session *s)
{
	if (s->upper)
		session_free(s->upper);
	s->upper = NULL;
}

struct reply upper_run_answer(struct session *s, const struct http_request *request)
{
	static const char prefix[] = "second/";
	struct http_request below = *request;
	struct reply r;

	if (!s->upper || strncmp(request->path, prefix, sizeof prefix - 1) != 0)
		return whatif_answer(s, request);
	below.path = request->path + sizeof prefix - 1;
	r = session_answer(s->upper, &below);
	r.framed = !*below.path;
	return r;
}
