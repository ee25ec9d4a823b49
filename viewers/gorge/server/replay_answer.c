#include "viewers/gorge/server/replay_answer.h"
#include "analysis/replay/answer/changes_text.h"
#include "analysis/replay/answer/outcome.h"
#include "base/json.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_LOCKS = 20 };

static void limit_json(struct json *j, const struct prediction *p)
{
	struct limit l = limit_of(p->model, p->changed_operations, p->changed, p->gone);
	char *text = outcome_limit(p, &l);

	json_string(j, "limited_by", text);
	free(text);
}

static void locks_json(struct json *j, const struct prediction *p)
{
	size_t n;
	struct lock_outcome *rows = outcome_locks(p, &n);

	json_array(j, "locks");
	for (size_t i = 0; i < n && i < MOST_LOCKS; i++) {
		json_object(j, NULL);
		json_string(j, "lock", rows[i].name);
		json_int(j, "wait_replayed", rows[i].before);
		json_int(j, "wait_predicted", rows[i].after);
		json_close(j);
	}
	json_close(j);
	free(rows);
}

static void answer_json(FILE *out, const struct prediction *p, const struct changes *c)
{
	struct json j = json_begin(out, 0);
	char *asked = replay_changes_text(c);

	json_object(&j, NULL);
	json_string(&j, "asked", asked);
	json_int(&j, "recorded", p->operations->duration);
	json_int(&j, "replayed", p->unchanged->duration);
	json_int(&j, "without_cost", p->base->duration);
	json_int(&j, "predicted", p->changed->duration);
	json_int(&j, "low", p->low);
	json_int(&j, "high", p->high);
	json_uint(&j, "untied", p->changed->untied);
	limit_json(&j, p);
	locks_json(&j, p);
	json_close(&j);
	free(asked);
}

bool replay_answer_write(const struct prediction *p, const struct changes *c, const char *path,
			 struct diag *diag)
{
	FILE *out = fopen(path, "w");
	bool good = out;

	if (good) {
		answer_json(out, p, c);
		good = !ferror(out);
		good = fclose(out) == 0 && good;
	}
	if (!good)
		diag_error(diag, DIAG_NOWHERE, "cannot write %s: %s", path, strerror(errno));
	return good;
}
