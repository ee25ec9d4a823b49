#include "viewers/gorge/server/changed_replay.h"
#include "analysis/replay/answer/changes_parse.h"
#include "analysis/replay/answer/refusal.h"
#include "analysis/replay/written/predicted.h"
#include "viewers/gorge/server/replay_answer.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static bool change_run(struct prediction *p, const struct changes *c, struct diag *diag)
{
	const char *unknown = NULL;

	if (prediction_choose(p, c, &unknown) && prediction_change(p, c, &unknown))
		return true;
	refuse_change(diag, p, unknown);
	return false;
}

/* Writes the log directory. */
static bool run_write(const struct prediction *p, const char *folder, struct diag *diag)
{
	char *path = text_format("%s/run", folder);
	bool good = mkdir(path, 0700) == 0;

	if (!good)
		diag_error(diag, DIAG_NOWHERE, "cannot make %s: %s", path, strerror(errno));
	else
		good = predicted_write(p, path, diag);
	free(path);
	return good;
}

bool changed_replay(const struct log_source *source, const struct whatif_change *a,
		    const char *folder, atomic_int *step, struct diag *diag)
{
	struct log_source over = *source;
	struct trace *t;
	struct instance_set *set;
	struct prediction *p;
	struct change_set asked;
	struct changes changes;

	over.follow = false; /* the program is over */
	if (!whatif_change_parse(a, &asked, diag))
		return false;
	t = reopen_trace(&over, over.spec, diag);
	if (!t)
		return false;
	*step = REPLAY_FINDS;
	prediction_announce(t);
	set = instance_set_of(t, SPANS_ALL | SPANS_NAMED, NULL, 0);
	*step = REPLAY_UNCHANGED;
	p = prediction_of(set, asked.others.slice);
	changes_resolve(&asked, p->model);
	changes = changes_of(&asked);
	changes.written = !team_is_changed(&changes.team);
	changes.next = true;
	*step = REPLAY_CHANGED;
	if (!change_run(p, &changes, diag) || prediction_is_refused(p, a->anyway, diag))
		return false;
	*step = REPLAY_WRITES;
	return (!changes.written || run_write(p, folder, diag)) &&
	       replay_answer_write(p, &changes, folder, diag);
}
