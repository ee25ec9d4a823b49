/*
 * The engine of html documents: answers in the browser what a server would answer. It is compiled
 * to WebAssembly; the page calls it with texts and bytes in its memory.
 */
#include "base/array.h"
#include "viewers/gorge/answers/answers.h"
#include "viewers/gorge/answers/path.h"
#include "viewers/gorge/draw/compose.h"
#include "viewers/gorge/paint/canvas.h"
#include "viewers/gorge/paint/paint.h"
#include "viewers/gorge/query/definitions.h"
#include "viewers/gorge/wasm/payload_read.h"
#include <stdlib.h>
#include <string.h>

/* The page alone calls these. */
#define EXPORT(name, ...) \
	__VA_ARGS__; \
	__attribute__((export_name(#name))) __VA_ARGS__

static struct payload payload;
static struct session *session;
static struct reply reply;

/* ---- what a server does with files, threads and libraries ---- */

/* Values are name, value, name, value and so on, each NUL-terminated; an empty name ends them. */
const char *http_value(const struct http_request *request, const char *name)
{
	const char *at = request->values;

	while (*at) {
		const char *value = at + strlen(at) + 1;
		if (!strcmp(at, name))
			return value;
		at = value + strlen(value) + 1;
	}
	return NULL;
}

struct trace_index *reopen_index(const struct log_source *source, struct trace_index *before,
				 const char *text, struct diag *diag)
{
	struct spec *spec = definitions_read(text, before->trace->spec, diag);
	struct trace *t = NULL;

	(void)source;
	if (spec)
		t = stored_new(before->trace, spec, payload.logged, payload.events, diag);
	if (t && !strcmp(spec->text, payload.logged->text))
		((struct stored *)t)->found = &payload.found;
	return t ? trace_index_new(t, diag) : NULL;
}

/*
 * Answers that there are no requests: in one thread, each is answered before the next one is made.
 */
struct reply answer_requests(struct session *s, const struct http_request *request)
{
	(void)s, (void)request;
	return reply_text(404, "No question is being answered.");
}

struct reply answer_stop(struct session *s, const struct http_request *request)
{
	return answer_requests(s, request);
}

void found_waits_free(struct why *w)
{
	(void)w;
}

void why_run_release(struct why_run *r)
{
	(void)r;
}

const struct memory_window *session_memory(struct session *s, const char **missing)
{
	(void)s;
	*missing =
	    "This document has no flame graphs of memory. To see them, open the run with gorge.";
	return NULL;
}

static struct reply stored_reply(const char *text)
{
	struct reply r = {
	    .status = 200, .type = "application/json", .body = text_format("%s", text)};

	r.size = strlen(r.body);
	return r;
}

/* Returns what was found by the present definitions, or NULL: there were others. */
static const struct stored_results *found_of(const struct session *s)
{
	return ((const struct stored *)s->index->trace)->found;
}

struct reply answer_headline(struct session *s, const struct http_request *request)
{
	const struct stored_results *f = found_of(s);

	(void)request;
	if (event_index_order(s->index->events))
		return reply_text(404, "The logical order has no headline.");
	return f ? stored_reply(f->headline) : reply_text(404, OTHER_DEFINITIONS);
}

/* Returns what is wrong if nothing was found. */
static const char *nothing_found(const struct stored_results *f)
{
	return f ? f->why : OTHER_DEFINITIONS;
}

struct reply answer_why(struct session *s, const struct http_request *request)
{
	const struct stored_results *f = found_of(s);

	(void)request;
	return f && f->path ? stored_reply(f->why) : reply_text(400, nothing_found(f));
}

struct reply answer_path(struct session *s, const struct http_request *request)
{
	struct reply failure;
	const struct picture *p = session_picture(s, request, &failure);
	const struct stored_results *f = found_of(s);

	if (!p)
		return failure;
	return f && f->path ? path_reply(s, p->scene, f->path) : reply_text(400, nothing_found(f));
}

struct reply answer_meanwhile(struct session *s, const struct http_request *request)
{
	(void)s, (void)request;
	return reply_text(
	    404, "A document does not record what a thread did while another waited for it.");
}

struct reply answer_differences(struct session *s, const struct http_request *request)
{
	(void)s, (void)request;
	return reply_text(404, "A document has one recording.");
}

struct reply answer_slowly(struct session *s, const struct http_request *request, bool pictured,
			   answer_function *answer)
{
	(void)pictured;
	return answer(s, request);
}

struct reply answer_page(struct session *s, const struct http_request *request)
{
	(void)s, (void)request;
	return reply_text(404, "The page is here already.");
}

static void write_drawing(const struct drawing *d, struct json *j)
{
	json_real(j, "width", d->width);
	json_real(j, "height", d->height);
	json_colour(j, "background", d->background);
	canvas_write(d, j, "drawing");
}

static void write_svg(const struct drawing *d, struct json *j)
{
	struct reply_stream w;
	struct reply svg;

	svg_paint(d, reply_begin(&w));
	svg = reply_end(&w, "image/svg+xml");
	json_bytes(j, "svg", svg.body, svg.size);
	free(svg.body);
}

/* Answers with a document; the page paints other formats itself, from the drawing. */
struct reply answer_document(struct session *s, const struct http_request *request)
{
	struct reply failure;
	const struct picture *p = session_picture(s, request, &failure);
	struct drawing *d;
	struct reply_stream w;
	struct json json;

	if (!p)
		return failure;
	d = scene_draw(p->scene, p->width, 0);
	json = reply_begin_json(&w);
	if (!strcmp(request->path, "picture.svg"))
		write_svg(d, &json);
	else
		write_drawing(d, &json);
	drawing_free(d);
	return reply_end_json(&w, &json);
}

/* ---- what the page calls ---- */

/* Returns room for bytes from the page. */
EXPORT(room, void *engine_room(size_t n))
{
	return malloc(n + 1);
}

EXPORT(open, bool engine_open(const unsigned char *bytes, size_t size))
{
	struct diag diag = {.program = "gorge"};

	if (!payload_read(&payload, bytes, size, &diag))
		return false;
	session = session_new(&payload.view, payload.index);
	return true;
}

/* Takes the texts. Returns the status of the answer. */
EXPORT(ask, unsigned engine_ask(char *path, bool post, char *values, char *body))
{
	free(reply.body);
	reply = session_answer(
	    session,
	    &(struct http_request){.path = path, .post = post, .body = body, .values = values});
	free(path);
	free(values);
	free(body);
	return reply.status;
}

EXPORT(answer, const char *engine_answer(void))
{
	return reply.body;
}

EXPORT(size, size_t engine_size(void))
{
	return reply.size;
}
