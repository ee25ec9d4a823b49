#include "viewers/gorge/server/session.h"
#include "base/array.h"
#include "viewers/gorge/query/violations.h"
#include "viewers/gorge/server/request.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct session *session_new(const struct options *o, struct trace_index *m)
{
	struct session *s = array_zero(1, sizeof *s);

	pthread_mutex_init(&s->lock, NULL);
	s->queue = request_queue_new();
	s->common = s;
	s->options = o;
	s->index = m;
	return s;
}

void session_forget(struct session *s)
{
	picture_free(s->picture);
	free(s->asked);
	s->picture = NULL;
	s->asked = NULL;
}

void session_change(struct session *s)
{
	session_forget(s);
	violations_free(s->violations);
	s->violations = NULL;
}

void session_free(struct session *s)
{
	session_change(s);
	trace_index_free(s->index);
	free(s->definitions);
	pthread_mutex_destroy(&s->lock);
	request_queue_free(s->queue);
	free(s);
}

void session_replace(struct session *s, struct trace_index *m)
{
	session_change(s);
	trace_index_free(s->index);
	s->index = m;
	s->models++;
}

FILE *reply_begin(struct reply_stream *w)
{
	w->out = open_memstream(&w->text, &w->size);
	if (!w->out)
		array_exhausted();
	return w->out;
}

struct reply reply_end(struct reply_stream *w, const char *type)
{
	if (fclose(w->out) != 0)
		array_exhausted();
	return (struct reply){.status = 200, .type = type, .body = w->text, .size = w->size};
}

struct reply reply_text(unsigned status, const char *text)
{
	struct reply r = {.status = status, .type = "text/plain; charset=utf-8",
			  .body = text_format("%s\n", text)};

	r.size = strlen(r.body);
	return r;
}

/* How it is answered: at once; slowly; slowly, about a picture. */
enum pace { QUICK, SLOW, SLOW_PICTURED };

static const struct {
	const char *path;
	bool post;
	enum pace pace;
	session_part *answer;
} routes[] = {
	{"", false, QUICK, answer_page},
	{"start", false, QUICK, answer_start},
	{"view", false, QUICK, answer_view},
	{"state", false, QUICK, answer_state},
	{"overview", false, QUICK, answer_overview},
	{"at", false, QUICK, answer_at},
	{"durations", false, SLOW_PICTURED, answer_durations},
	{"statistics", false, SLOW_PICTURED, answer_statistics},
	{"find", false, SLOW, answer_find},
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

static struct reply answer_locked(struct session *s, const struct http_request *a, session_part *answer)
{
	struct reply r;

	pthread_mutex_lock(&s->lock);
	r = answer(s, a);
	pthread_mutex_unlock(&s->lock);
	return r;
}

struct reply session_answer(void *context, const struct http_request *a)
{
	struct session *s = context;

	for (size_t i = 0; i < sizeof routes / sizeof *routes; i++) {
		if (strcmp(routes[i].path, a->path) != 0)
			continue;
		if (routes[i].post != a->post)
			return reply_text(405, "This address takes the other method.");
		if (routes[i].pace == QUICK)
			return answer_locked(s, a, routes[i].answer);
		return session_answer_slowly(s, a, routes[i].pace == SLOW_PICTURED, routes[i].answer);
	}
	return reply_text(404, "There is nothing at this address.");
}

static const char *or_default(const char *list)
{
	return list ? list : "*";
}

const struct interval *session_interval(const struct session *s, const char *name)
{
	return name ? spec_interval(s->index->trace->spec, name) : NULL;
}

/* Views that are equal have equal texts. */
static char *text_of_query(const struct view_request *q)
{
	const struct view *v = &q->view;

	return text_format("%d %" PRId64 " %d %" PRId64 " %g %g %s %d %d %d %u %u %" PRId64
			   " %" PRId64 " %s\n%s\n%s\n%s\n%s\n%s",
			   v->has_from,
			   v->has_from ? v->window.from : 0, v->has_to,
			   v->has_to ? v->window.to : 0,
			   v->width, q->room, v->theme->name, v->sort, v->flat, v->has_viewport,
			   v->viewport.first, v->viewport.last,
			   v->pick.least, v->pick.most, or_default(v->pick.interval),
			   or_default(v->collapsed), or_default(v->threads), or_default(v->events),
			   or_default(v->intervals), or_default(v->tracks));
}

static void replace_picture(struct session *s, const struct view_request *q, char *asked, FILE *complaints)
{
	struct diag diag = {.out = complaints, .program = "gorge"};
	struct view view = q->view;

	view.violations = s->violations;
	picture_free(s->picture);
	free(s->asked);
	s->asked = asked;
	s->picture = picture_new(&view, q->room, s->index, &diag);
}

const struct picture *session_picture(struct session *s, const struct http_request *a, struct reply *failure)
{
	struct reply_stream complaints;
	struct view_request q;
	const char *wrong = request_view(a, &s->options->view, &q);
	char *asked;

	if (wrong) {
		*failure = reply_text(400, wrong);
		return NULL;
	}
	asked = text_of_query(&q);
	if (s->picture && !strcmp(asked, s->asked)) {
		free(asked);
		return s->picture;
	}
	replace_picture(s, &q, asked, reply_begin(&complaints));
	*failure = reply_end(&complaints, "text/plain; charset=utf-8");
	failure->status = 400;
	if (s->picture)
		free(failure->body);
	return s->picture;
}
