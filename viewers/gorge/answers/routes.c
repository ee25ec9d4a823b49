/* Which answer belongs to which address. */
#include "viewers/gorge/answers/answers.h"
#include <string.h>

#define ROUTE_ROW(path, post, pace, answer) {path, post, pace, answer},
static const struct {
	const char *path;
	bool post;
	enum pace pace;
	answer_function *answer;
} routes[] = {ROUTES(ROUTE_ROW)};

static struct reply answer_locked(struct session *s, const struct http_request *request,
				  answer_function *answer)
{
	struct reply r;

	pthread_mutex_lock(&s->lock);
	r = answer(s, request);
	pthread_mutex_unlock(&s->lock);
	return r;
}

struct reply session_answer(void *session, const struct http_request *request)
{
	struct session *s = session_in_order(session, http_value(request, "order"));

	for (size_t i = 0; i < sizeof routes / sizeof *routes; i++) {
		if (strcmp(routes[i].path, request->path) != 0)
			continue;
		if (routes[i].post != request->post)
			return reply_text(405, "This address does not accept this HTTP method.");
		if (routes[i].pace == QUICK)
			return answer_locked(s, request, routes[i].answer);
		return answer_slowly(s, request, routes[i].pace == SLOW_PICTURED, routes[i].answer);
	}
	return reply_text(404, "There is no page at this address.");
}
