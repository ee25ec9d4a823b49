/* The answers to questions about the whole trace. */
#include "viewers/gorge/find.h"
#include "viewers/gorge/query.h"
#include "viewers/gorge/session.h"
#include "viewers/gorge/violations.h"
#include "viewers/vector.h"
#include <stdlib.h>

#define JSON_TYPE "application/json"

struct reply answer_find(struct session *s, const struct ask *a)
{
	const char *question = ask_value(a, "question");
	struct writing complaints, w;
	struct diag diag = {.out = writing_begin(&complaints), .program = "gorge"};
	struct json json = json_begin(writing_begin(&w), 0);
	struct reply said, found;
	bool good;

	json_object(&json, NULL);
	good = find_write(s->model, question ? question : "", &json, &diag);
	json_close(&json);
	said = writing_end(&complaints, "text/plain; charset=utf-8");
	found = writing_end(&w, JSON_TYPE);
	said.status = 400;
	free(good ? said.body : found.body);
	return good ? found : said;
}

/* Pictures that were made before do not show what breaks them. */
static struct violations *known_violations(struct session *s)
{
	if (!s->model->violations)
		session_forget(s);
	return model_violations(s->model);
}

struct reply answer_assertions(struct session *s, const struct ask *a)
{
	struct writing w;
	struct json json = json_begin(writing_begin(&w), 0);

	(void)a;
	json_object(&json, NULL);
	violations_write(known_violations(s), &json, "assertions");
	json_close(&json);
	return writing_end(&w, JSON_TYPE);
}

struct reply answer_violations(struct session *s, const struct ask *a)
{
	struct writing w;
	struct json json;
	size_t assertion;

	if (!query_index(a, "assertion", s->model->trace->spec->nassertions, &assertion))
		return reply_text(400, "There is no such assertion.");
	json = json_begin(writing_begin(&w), 0);
	json_object(&json, NULL);
	violations_write_worst(known_violations(s), (unsigned)assertion, &json);
	json_close(&json);
	return writing_end(&w, JSON_TYPE);
}
