#include "viewers/gorge/answers/session.h"
#include "analysis/flame/memory_window.h"
#include "base/array.h"
#include "viewers/gorge/answers/request.h"
#include "viewers/gorge/query/violations.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct session *session_new(const struct view *view, struct trace_index *index)
{
	struct session *s = array_zero(1, sizeof *s);

	pthread_mutex_init(&s->lock, NULL);
	s->common = s;
	s->view = view;
	s->index = index;
	s->notes = view->notes ? text_format("%s", view->notes) : NULL;
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
	memory_window_free(s->memory_window);
	s->memory_window = NULL;
	found_waits_free(s->waits);
	s->waits = NULL;
	why_run_release(s->why);
	s->why = NULL;
	if (s->logical)
		s->logical->outdated = true;
}

void session_free(struct session *s)
{
	if (s->logical) {
		free((struct view *)s->logical->view);
		session_free(s->logical);
		s->logical = NULL;
	}
	session_change(s);
	why_run_release(s->so_far);
	why_run_release(s->searching);
	trace_index_free(s->index);
	free(s->definitions);
	free(s->notes);
	pthread_mutex_destroy(&s->lock);
	free(s);
}

void session_replace(struct session *s, struct trace_index *index)
{
	session_change(s);
	trace_index_free(s->index);
	s->index = index;
	s->replaced++;
}

/* Columns have no times: what the command line says of these does not hold. */
static struct view *view_of_columns(const struct view *v)
{
	struct view *copy = array_zero(1, sizeof *copy);

	*copy = *v;
	copy->has_from = copy->has_to = false;
	copy->tracks = NULL;
	return copy;
}

struct session *session_in_order(struct session *s, const char *order)
{
	struct session *l;

	if (!order || strcmp(order, order_name(ORDER_LOGICAL)) != 0)
		return s;
	pthread_mutex_lock(&s->lock);
	l = s->logical;
	if (!l) {
		l = session_new(view_of_columns(s->view), trace_index_logical(s->index));
		l->queue = s->queue;
		s->logical = l;
	} else if (l->outdated) {
		pthread_mutex_lock(&l->lock);
		session_replace(l, trace_index_logical(s->index));
		l->outdated = false;
		pthread_mutex_unlock(&l->lock);
	}
	pthread_mutex_unlock(&s->lock);
	return l;
}

FILE *reply_begin(struct reply_stream *r)
{
	r->out = open_memstream(&r->text, &r->size);
	if (!r->out)
		array_exhausted();
	return r->out;
}

struct reply reply_end(struct reply_stream *r, const char *type)
{
	if (fclose(r->out) != 0)
		array_exhausted();
	return (struct reply){.status = 200, .type = type, .body = r->text, .size = r->size};
}

struct json reply_begin_json(struct reply_stream *r)
{
	struct json json = json_begin(reply_begin(r), 0);

	json_object(&json, NULL);
	return json;
}

struct reply reply_end_json(struct reply_stream *r, struct json *j)
{
	json_close(j);
	return reply_end(r, "application/json");
}

struct reply reply_text(unsigned status, const char *text)
{
	struct reply r = {.status = status,
			  .type = "text/plain; charset=utf-8",
			  .body = text_format("%s\n", text)};

	r.size = strlen(r.body);
	return r;
}

static const char *or_default(const char *list)
{
	return list ? list : "*";
}

const struct interval *session_interval(const struct session *s, const char *name)
{
	return name ? spec_interval(s->index->trace->spec, name) : NULL;
}

/* Returns a text that is the same for equal requests. */
static char *text_of_request(const struct view_request *q)
{
	const struct view *v = &q->view;

	return text_format("%d %" PRId64 " %d %" PRId64 " %g %g %u %g %s %d %d %d %u %u %" PRId64
			   " %" PRId64 " %s\n%s\n%s\n%s\n%s\n%s\n%s\n%s",
			   v->has_from, v->has_from ? v->window.from : 0, v->has_to,
			   v->has_to ? v->window.to : 0, v->width, v->names, v->functions, q->room,
			   v->theme->name, v->sort, v->group, v->has_viewport, v->viewport.first,
			   v->viewport.last, v->pick.least, v->pick.most,
			   or_default(v->pick.interval), or_default(v->layers),
			   or_default(v->lanes), or_default(v->collapsed), or_default(v->threads),
			   or_default(v->events), or_default(v->intervals), or_default(v->tracks));
}

const struct picture *session_picture(struct session *s, const struct http_request *request,
				      struct reply *failure)
{
	struct reply_stream complaints;
	struct diag diag = {.program = "gorge"};
	struct view_request q;
	const char *wrong = request_view(request, s->view, &q);
	char *asked;

	if (wrong) {
		*failure = reply_text(400, wrong);
		return NULL;
	}
	asked = text_of_request(&q);
	if (s->picture && !strcmp(asked, s->asked)) {
		free(asked);
		return s->picture;
	}
	session_forget(s);
	diag.out = reply_begin(&complaints);
	q.view.violations = s->violations;
	q.view.notes = s->notes;
	s->asked = asked;
	s->picture = picture_new(&q.view, q.room, s->index, &diag);
	*failure = reply_end(&complaints, "text/plain; charset=utf-8");
	failure->status = 400;
	if (s->picture)
		free(failure->body);
	return s->picture;
}
