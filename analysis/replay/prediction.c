#include "analysis/replay/prediction.h"
#include "base/array.h"
#include <fnmatch.h>
#include <math.h>
#include <stdlib.h>

/* No prediction is better than this, of its time. */
static const double least_error = 0.005;

/* Returns what each lock becomes, or NULL after setting *unknown. */
static enum discipline *disciplines_of(const struct model *m, const struct changes *c,
				       const char **unknown)
{
	enum discipline *all = array_zero(m->locks.locks.n, sizeof *all);

	for (unsigned i = 0; i < c->nlocks; i++) {
		bool found = false;

		for (size_t l = 0; l < m->locks.locks.n; l++)
			if (fnmatch(c->locks[i].what, m->locks.locks.at[l].name, 0) == 0) {
				all[l] = c->locks[i].discipline;
				found = true;
			}
		if (!found) {
			*unknown = c->locks[i].what;
			free(all);
			return NULL;
		}
	}
	return all;
}

static void unchanged_run(struct prediction *p, int64_t slice)
{
	struct machine machine = {.cores = p->model->cores, .slice = slice};

	p->cores = machine.cores;
	p->operations = operations_of(p->model, NULL);
	p->unchanged = replay_run(p->operations, &machine);
}

static void changed_run(struct prediction *p, const struct changes *c, const struct speeds *speeds,
			const enum discipline *locks, int64_t slice)
{
	struct machine machine = {
	    .cores = c->cores_given ? c->cores : p->cores, .slice = slice, .locks = locks};
	double error;

	p->changed_operations = operations_of(p->model, speeds);
	p->changed = replay_run(p->changed_operations, &machine);
	error = (double)p->changed->duration * fmax(prediction_miss(p), least_error);
	p->low = p->changed->duration - (int64_t)error;
	p->high = p->changed->duration + (int64_t)error;
}

struct prediction *prediction_of(struct trace *t, const struct changes *c, const char **unknown)
{
	const struct speed_change *nothing = NULL;
	struct prediction *p = array_zero(1, sizeof *p);
	struct speeds *speeds = speeds_of(t, c->speeds, c->nspeeds, &nothing);
	enum discipline *locks = NULL;
	int64_t slice = c->slice ? c->slice : DEFAULT_SLICE;

	if (nothing)
		*unknown = nothing->what;
	p->model = model_of(t);
	if (speeds)
		locks = disciplines_of(p->model, c, unknown);
	if (locks) {
		unchanged_run(p, slice);
		changed_run(p, c, speeds, locks, slice);
	}
	if (speeds)
		speeds_free(speeds);
	if (!locks) {
		prediction_free(p);
		return NULL;
	}
	free(locks);
	return p;
}

double prediction_miss(const struct prediction *p)
{
	double recorded = (double)p->operations->duration;

	return recorded ? fabs((double)p->unchanged->duration - recorded) / recorded : 0;
}

void prediction_free(struct prediction *p)
{
	if (p->operations)
		operations_free(p->operations);
	if (p->changed_operations)
		operations_free(p->changed_operations);
	if (p->unchanged)
		replay_free(p->unchanged);
	if (p->changed)
		replay_free(p->changed);
	model_free(p->model);
	free(p);
}
