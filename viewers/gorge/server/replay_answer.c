#include "viewers/gorge/server/replay_answer.h"
#include "analysis/replay/answer/answer_json.h"
#include "analysis/replay/answer/changes_text.h"
#include <errno.h>
#include <stdlib.h>

struct answered {
	struct prediction *prediction;
	const struct changes *changes;
};

static void json_write(FILE *out, const struct answered *a)
{
	struct next_steps next = next_steps_of(a->prediction, a->changes);

	answer_json(out, a->prediction, a->changes, &next, NULL);
}

static void asked_write(FILE *out, const struct answered *a)
{
	char *asked = replay_changes_text(a->changes);

	fputs(asked, out);
	free(asked);
}

static bool file_write(const char *folder, const char *name, const struct answered *a,
		       void (*write)(FILE *out, const struct answered *a), struct diag *diag)
{
	char *path = text_format("%s/%s", folder, name);
	FILE *out = fopen(path, "w");
	bool good = out;

	if (good) {
		write(out, a);
		good = !ferror(out);
		good = fclose(out) == 0 && good;
	}
	if (!good)
		diag_error(diag, DIAG_NOWHERE, "cannot write %s: %s", path, strerror(errno));
	free(path);
	return good;
}

bool replay_answer_write(struct prediction *p, const struct changes *c, const char *folder,
			 struct diag *diag)
{
	struct answered a = {p, c};

	return file_write(folder, "asked", &a, asked_write, diag) &&
	       file_write(folder, "answer", &a, json_write, diag);
}
