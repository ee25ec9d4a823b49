/*
 * gorge in a document: what the server answers, answered in the browser. It is compiled to
 * WebAssembly; the page calls it with texts and bytes that lie in its memory.
 */
#include "viewers/gorge/draw/compose.h"
#include "viewers/gorge/paint/canvas.h"
#include "viewers/gorge/paint/paint.h"
#include "viewers/gorge/query/definitions.h"
#include "viewers/gorge/server/reopen.h"
#include "viewers/gorge/server/session.h"
#include "viewers/gorge/wasm/payload_read.h"
#include <stdlib.h>
#include <string.h>

/* Declared here, for no other file calls them. */
#define EXPORT(name, ...) __VA_ARGS__; __attribute__((export_name(#name))) __VA_ARGS__

static struct payload parcel;
static struct session *session;
static struct reply reply;

/* ---- what is elsewhere made with files and other libraries ---- */

/* name, value, name, value and so on, each NUL-terminated; an empty name ends them. */
const char *http_value(const struct http_request *a, const char *name)
{
	const char *at = a->values;

	while (*at) {
		const char *value = at + strlen(at) + 1;
		if (!strcmp(at, name))
			return value;
		at = value + strlen(value) + 1;
	}
	return NULL;
}

struct trace_index *reopen_model(const struct options *o, struct trace_index *before, const char *text, struct diag *diag)
{
	struct spec *spec = definitions_read(text, diag);
	struct trace *t = NULL;

	(void)o;
	if (spec)
		t = stored_new(before->trace, spec, parcel.logged, parcel.events, diag);
	return t ? trace_index_new(t, diag) : NULL;
}

/* Who asks in one thread has the answer before anything else. */
struct reply answer_requests(struct session *s, const struct http_request *a)
{
	(void)s, (void)a;
	return reply_text(404, "Nothing is being asked.");
}

struct reply answer_stop(struct session *s, const struct http_request *a)
{
	return answer_requests(s, a);
}

/* There is one thread for all. */
struct reply session_answer_slowly(struct session *s, const struct http_request *a, bool pictured, session_part *answer)
{
	(void)pictured;
	return answer(s, a);
}

struct reply answer_page(struct session *s, const struct http_request *a)
{
	(void)s, (void)a;
	return reply_text(404, "The page is here already.");
}

/* For the page to paint. */
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

/* An SVG, or the drawing of another document. */
struct reply answer_document(struct session *s, const struct http_request *a)
{
	struct reply failure;
	const struct picture *p = session_picture(s, a, &failure);
	struct drawing *d;
	struct reply_stream w;
	struct json json;

	if (!p)
		return failure;
	d = scene_draw(p->scene, p->width, 0);
	json = json_begin(reply_begin(&w), 0);
	json_object(&json, NULL);
	if (!strcmp(a->path, "picture.svg"))
		write_svg(d, &json);
	else
		write_drawing(d, &json);
	json_close(&json);
	drawing_free(d);
	return reply_end(&w, "application/json");
}

/* ---- what the page calls ---- */

/* Room for bytes that the page puts there. */
EXPORT(room, void *engine_room(size_t n))
{
	return malloc(n + 1);
}

EXPORT(open, bool engine_open(const unsigned char *bytes, size_t size))
{
	struct diag diag = {.program = "gorge"};

	if (!payload_read(&parcel, bytes, size, &diag))
		return false;
	session = session_new(&parcel.options, parcel.index);
	return true;
}

/* Takes the texts. Gives the status; the answer follows. */
EXPORT(ask, unsigned engine_ask(char *path, bool post, char *values, char *body))
{
	free(reply.body);
	reply = session_answer(session, &(struct http_request){
		.path = path, .post = post, .body = body, .values = values});
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
