#include "analysis/replay/answer/answer_json.h"
#include "analysis/graph/guessed_wakers.h"
#include "analysis/replay/answer/outcome.h"
#include "base/json.h"
#include "trace/stream/losses.h"
#include <math.h>
#include <stdlib.h>

/* ---- what it rests on ---- */

static void fit_json(struct json *j, const struct fit *f, const struct span_change *c)
{
	json_object(j, NULL);
	json_string(j, "what", c->what);
	json_string(j, "event", f->start->name);
	json_string(j, "attribute", f->attribute);
	json_string(j, "asked", c->length.fit);
	json_uint(j, "instances", f->n);
	json_real(j, "intercept", f->line.intercept);
	json_real(j, "slope", f->line.slope);
	json_real(j, "r2", f->line.r2);
	json_real(j, "recorded_low", f->recorded.low);
	json_real(j, "recorded_high", f->recorded.high);
	json_real(j, "asked_low", f->asked.low);
	json_real(j, "asked_high", f->asked.high);
	json_close(j);
}

static void device_json(struct json *j, const struct device *d, const struct span_change *c)
{
	json_object(j, NULL);
	json_string(j, "what", c->what);
	json_real(j, "bandwidth", c->device.bandwidth);
	json_int(j, "latency", c->device.latency);
	json_uint(j, "instances", d->instances);
	json_uint(j, "requests", d->requests);
	json_uint(j, "without_bytes", d->without);
	json_uint(j, "bytes", d->bytes);
	json_int(j, "busy", d->busy);
	json_close(j);
}

static void models_json(struct json *j, const struct prediction *p,
			const struct span_change *changes)
{
	json_array(j, "fits");
	for (size_t i = 0; p->fits && i < p->fits->all.n; i++)
		fit_json(j, &p->fits->all.at[i], &changes[p->fits->all.at[i].change]);
	json_close(j);
	json_array(j, "devices");
	for (size_t i = 0; p->devices && i < p->devices->all.n; i++)
		device_json(j, &p->devices->all.at[i], &changes[p->devices->all.at[i].change]);
	json_close(j);
}

static void range_json(struct json *j, const struct prediction *p)
{
	json_object(j, "error");
	for (unsigned i = 0; i < NERROR_SOURCES; i++) {
		const struct error_part *e = &p->interval.parts[i];

		json_object(j, error_source_name((enum error_source)i));
		json_int(j, "less", (int64_t)e->less);
		json_int(j, "more", (int64_t)e->more);
		json_close(j);
	}
	json_uint(j, "replays", p->interval.replays);
	json_close(j);
}

/* An unlimited number has no value. */
static void cores_json(struct json *j, const char *name, unsigned cores)
{
	if (cores)
		json_uint(j, name, cores);
	else
		json_null(j, name);
}

static void all_cores_json(struct json *j, const struct prediction *p, const struct changes *c)
{
	static const char *const sources[] = {
	    [CORES_UNKNOWN] = "unknown",
	    [CORES_OBSERVED] = "observed",
	    [CORES_RECORDED] = "recorded",
	};
	const char *source = sources[p->model->cores_source];

	cores_json(j, "cores", p->cores);
	json_string(j, "cores_source", source);
	cores_json(j, "predicted_cores", c->cores_given ? c->cores : p->cores);
	json_string(j, "predicted_cores_source", c->cores_given ? "asked" : source);
}

/* ---- what it shows ---- */

static void step_json(struct json *j, const struct bottleneck *b)
{
	json_object(j, NULL);
	json_string(j, "kind", bottleneck_kind_name(b->kind));
	json_string(j, "name", b->subject.name);
	json_string(j, "thread", b->thread);
	if (b->kind == BOTTLENECK_UNKNOWN)
		json_null(j, "share");
	else
		json_real(j, "share", b->share);
	json_string(j, "instead_of", b->instead_of);
	json_string(j, "after", b->after);
	if (b->tried) {
		json_uint(j, "factor", b->factor);
		json_int(j, "duration", b->duration);
		json_int(j, "change", b->duration - b->before);
		json_int(j, "low", b->low);
		json_int(j, "high", b->high);
	} else {
		json_null(j, "factor");
		json_null(j, "duration");
		json_null(j, "change");
		json_null(j, "low");
		json_null(j, "high");
	}
	json_close(j);
}

static void next_json(struct json *j, const struct next_steps *next)
{
	json_array(j, "next");
	for (unsigned i = 0; i < next->n; i++)
		step_json(j, &next->at[i]);
	json_close(j);
}

static void hand_out_json(struct json *j, const struct prediction *p)
{
	static const char *const kinds[] = {
	    [POOL_LOCK] = "lock", [POOL_LOOP] = "loop", [POOL_INTERVAL] = "interval"};
	size_t n;
	struct hand_out_row *rows = outcome_hand_out(p, &n);

	json_array(j, "hand_out");
	for (size_t i = 0; i < n; i++) {
		const struct hand_out_pool *pool = &rows[i].pool;
		const char *doubt = hand_out_doubt(p, &rows[i]);

		json_object(j, NULL);
		json_string(j, "kind", kinds[pool->kind]);
		json_string(j, "name", pool->name);
		json_string(j, "site", pool->site);
		json_string(j, "group", pool->group);
		json_uint(j, "threads", pool->nthreads);
		json_uint(j, "items", pool->nitems);
		json_uint(j, "times", rows[i].npools);
		json_bool(j, "handed_out", !doubt);
		json_string(j, "copied_because", doubt);
		json_close(j);
	}
	json_close(j);
	free(rows);
}

static void locks_json(struct json *j, const struct prediction *p)
{
	size_t n;
	struct lock_outcome *rows = outcome_locks(p, &n);

	json_array(j, "locks");
	for (size_t i = 0; i < n; i++) {
		json_object(j, NULL);
		json_string(j, "lock", rows[i].name);
		json_int(j, "wait_replayed", rows[i].before);
		json_int(j, "wait_predicted", rows[i].after);
		json_close(j);
	}
	json_close(j);
	free(rows);
}

static void outside_json(struct json *j, const struct prediction *p)
{
	char *waits = outcome_apart(p);

	if (waits) {
		json_object(j, "outside");
		json_string(j, "waits", waits);
		json_int(j, "overlapping", p->overlapping);
		json_bool(j, "guessed", p->guessed);
		json_close(j);
	} else {
		json_null(j, "outside");
	}
	free(waits);
}

static void earlier_json(struct json *j, const struct prediction *p)
{
	if (p->held_earlier >= 0)
		json_int(j, "held_earlier", p->held_earlier);
	else
		json_null(j, "held_earlier");
}

static void guessed_json(struct json *j, const struct prediction *p)
{
	const struct guessed_waits *g = &p->model->graph->guessed;

	json_object(j, "guessed_waits");
	json_uint(j, "count", g->n);
	json_int(j, "time", g->time);
	json_close(j);
}

static void clients_json(struct json *j, const struct clients *c)
{
	json_object(j, "clients");
	json_string(j, "kind", clients_kind_name(c->kind));
	json_bool(j, "asked", c->asked);
	if (c->connections)
		json_uint(j, "connections", c->connections);
	else
		json_null(j, "connections");
	json_uint(j, "pairs", c->pairs);
	if (isfinite(c->error) && c->pairs) {
		json_real(j, "slope", c->slope);
		json_real(j, "slope_error", c->error);
		json_real(j, "waits", c->waits);
	} else {
		json_null(j, "slope");
		json_null(j, "slope_error");
		json_null(j, "waits");
	}
	json_real(j, "idle", c->idle);
	json_close(j);
}

static void latencies_json(struct json *j, const struct latencies *l)
{
	json_object(j, "interval");
	json_string(j, "name", l->name);
	json_uint(j, "instances", l->n);
	for (unsigned i = 0; i < NLATENCY_NUMBERS; i++) {
		const struct latency_range *n = &l->numbers[i];

		json_object(j, latency_number_name((enum latency_number)i));
		json_real(j, "recorded", n->recorded);
		json_real(j, "predicted", n->predicted);
		json_real(j, "low", n->low);
		json_real(j, "high", n->high);
		json_close(j);
	}
	json_close(j);
}

/* ---- all ---- */

void answer_json(FILE *out, const struct prediction *p, const struct changes *c,
		 const struct next_steps *next, const struct service *service)
{
	struct json j = json_begin(out, 2);
	struct losses losses = losses_of(p->model->trace);

	json_object(&j, NULL);
	losses_json(&j, &losses);
	json_int(&j, "recorded", p->operations->duration);
	json_int(&j, "replayed", p->unchanged->duration);
	json_int(&j, "without_cost", p->base->duration);
	json_int(&j, "predicted", p->changed->duration);
	if (prediction_has_states(p))
		json_int(&j, "predicted_running", p->changed->running);
	else
		json_null(&j, "predicted_running");
	json_int(&j, "low", p->low);
	json_int(&j, "high", p->high);
	range_json(&j, p);
	if (service && service->latencies) {
		latencies_json(&j, service->latencies);
		clients_json(&j, &service->clients);
	}
	next_json(&j, next);
	all_cores_json(&j, p, c);
	json_real(&j, "others", prediction_others(p));
	json_int(&j, "unexplained", p->operations->unexplained);
	json_int(&j, "spinning", p->operations->spinning);
	json_uint(&j, "untied", p->changed->untied);
	json_uint(&j, "expired", p->changed->expired);
	outside_json(&j, p);
	earlier_json(&j, p);
	guessed_json(&j, p);
	hand_out_json(&j, p);
	json_array(&j, "replays");
	for (size_t i = 0; i < p->durations.n; i++)
		json_int(&j, NULL, p->durations.at[i]);
	json_close(&j);
	models_json(&j, p, c->spans);
	locks_json(&j, p);
	json_close(&j);
}
