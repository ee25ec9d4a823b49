/* The answers that are documents: the page itself, and its view as a file. */
#include "viewers/gorge/answers/answers.h"
#include "viewers/gorge/draw/compose.h"
#include "viewers/gorge/page/assets.h"
#include "viewers/gorge/paint/paint.h"
#include "viewers/suffix.h"
#include <stdlib.h>

struct reply answer_page(struct session *s, const struct http_request *request)
{
	struct reply_stream w;
	struct reply r;

	(void)s, (void)request;
	assets_page(reply_begin(&w));
	r = reply_end(&w, "text/html; charset=utf-8");
	r.policy = assets_policy(true);
	return r;
}

static const char *const document_types[] = {"image/svg+xml", "image/png", "application/pdf"};

struct reply answer_document(struct session *s, const struct http_request *request)
{
	int format = suffix_find(request->path, format_suffixes, &(struct diag){0});
	struct reply failure, done;
	const struct picture *p = session_picture(s, request, &failure);
	struct drawing *d;
	const char *wrong;
	struct reply_stream w;

	if (!p)
		return failure;
	d = scene_draw(p->scene, p->width, 0);
	wrong = drawing_paint(d, (enum paint_format)format, 2, reply_begin(&w));
	drawing_free(d);
	done = reply_end(&w, document_types[format]);
	if (!wrong)
		return done;
	free(done.body);
	return reply_text(500, wrong);
}
