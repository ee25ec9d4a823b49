/* Which answer belongs to which address. */
#include "viewers/gorge/answers/answers.h"
#include <string.h>

/* How a request is answered: at once; slowly; slowly, and about a picture. */
enum pace { QUICK, SLOW, SLOW_PICTURED };

static const struct {
	const char *path;
	bool post;
	enum pace pace;
	answer_function *answer;
} routes[] = {
    {"", false, QUICK, answer_page},
    {"start", false, QUICK, answer_start},
    {"view", false, QUICK, answer_view},
    {"state", false, QUICK, answer_state},
    {"overview", false, QUICK, answer_overview},
    {"at", false, QUICK, answer_at},
    {"outline", false, QUICK, answer_outline},
    {"durations", false, SLOW_PICTURED, answer_durations},
    {"statistics", false, SLOW_PICTURED, answer_statistics},
    {"shares", false, SLOW_PICTURED, answer_shares},
    {"flame", false, SLOW_PICTURED, answer_flame},
    {"stretches", false, SLOW_PICTURED, answer_stretches},
    {"object", false, SLOW, answer_object},
    {"headline", false, QUICK, answer_headline},
    {"why", false, SLOW, answer_why},
    {"path", false, SLOW_PICTURED, answer_path},
    {"meanwhile", false, SLOW, answer_meanwhile},
    {"find", false, SLOW, answer_find},
    {"events", false, SLOW, answer_events},
    {"assertions", false, SLOW, answer_assertions},
    {"violations", false, SLOW, answer_violations},
    {"step", false, SLOW, answer_step},
    {"tracks", false, SLOW_PICTURED, answer_tracks},
    {"picture.svg", false, SLOW_PICTURED, answer_document},
    {"picture.png", false, SLOW_PICTURED, answer_document},
    {"picture.pdf", false, SLOW_PICTURED, answer_document},
    {"definitions", true, SLOW, answer_definitions},
    {"requests", false, QUICK, answer_requests},
    {"stop", true, QUICK, answer_stop},
    {"present", true, QUICK, answer_presence},
    {"left", true, QUICK, answer_presence},
    {"pulse", false, QUICK, answer_pulse},
};

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
