#include "viewers/gorge/server/changed_replay.h"
#include "analysis/replay/answer/refusal.h"
#include "analysis/replay/written/predicted.h"
#include "base/array.h"
#include "viewers/gorge/server/replay_answer.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* What a change consists of, where struct changes points to. */
struct parts {
	struct span_change span;
	struct lock_change lock;
	struct changes changes;
};

static void parts_set(struct parts *p, const struct whatif_change *a)
{
	p->span = (struct span_change){.kind = a->waits_too ? SPAN_ALL_OF_IT : SPAN_SPEED,
				       .what = a->faster,
				       .exact = a->exact,
				       .factor = a->factor};
	p->lock = (struct lock_change){
	    .what = a->lock, .exact = a->exact, .discipline = (enum discipline)a->discipline};
	p->changes = (struct changes){.spans = &p->span,
				      .nspans = a->has_speed,
				      .only = NOT_CHANGED,
				      .locks = &p->lock,
				      .nlocks = a->has_lock,
				      .cores_given = a->cores != 0,
				      .cores = a->cores,
				      .written = true};
}

static bool change_run(struct prediction *p, const struct changes *c, struct diag *diag)
{
	const char *unknown = NULL;

	if (prediction_choose(p, c, &unknown) && prediction_change(p, c, &unknown))
		return true;
	refuse_change(diag, p, unknown);
	return false;
}

/* Writes the log directory and the answer. */
static bool run_write(const struct prediction *p, const struct changes *c, const char *folder,
		      struct diag *diag)
{
	char *path = text_format("%s/run", folder), *answer = text_format("%s/answer", folder);
	bool good = mkdir(path, 0700) == 0;

	if (!good)
		diag_error(diag, DIAG_NOWHERE, "cannot make %s: %s", path, strerror(errno));
	else
		good = predicted_write(p, path, diag) && replay_answer_write(p, c, answer, diag);
	free(path);
	free(answer);
	return good;
}

bool changed_replay(const struct log_source *source, const struct whatif_change *a,
		    const char *folder, atomic_int *step, struct diag *diag)
{
	struct log_source over = *source;
	struct trace *t;
	struct instance_set *set;
	struct prediction *p;
	struct parts parts;

	over.follow = false; /* the program is over */
	t = reopen_trace(&over, over.spec, diag);
	if (!t)
		return false;
	parts_set(&parts, a);
	*step = REPLAY_FINDS;
	prediction_announce(t);
	set = instance_set_of(t, SPANS_ALL, NULL, 0);
	*step = REPLAY_UNCHANGED;
	p = prediction_of(set, 0);
	*step = REPLAY_CHANGED;
	if (!change_run(p, &parts.changes, diag) || prediction_is_refused(p, a->anyway, diag))
		return false;
	*step = REPLAY_WRITES;
	return run_write(p, &parts.changes, folder, diag);
}
