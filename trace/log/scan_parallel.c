/* Scans several logs at a time. */
#include "base/parallel.h"
#include "trace/log/scan.h"
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

/* What the scan of a log changes, and the samples that it finds. */
struct log_result {
	char *name;
	uint64_t lost;
	struct clock_samples samples;
};

struct parallel_scan {
	struct log *logs;
	const struct id_table *ids;
	const struct scanner *scanner;
	struct log_result *results; /* by log */
	uint64_t *counts;           /* by worker and event type */
	pthread_mutex_t lock;
	atomic_bool refused;
};

static void scan_one(void *context, size_t i, unsigned worker)
{
	struct parallel_scan *s = context;
	struct log *log = &s->logs[i];
	struct scanner scanner = *s->scanner;
	bool warned = false;

	if (s->refused)
		return;
	scanner.counts = s->counts + (size_t)worker * (scanner.spec->nevents + 1);
	scanner.samples = &s->results[i].samples;
	scanner.diag = NULL;
	scanner.warned = &warned;
	scanner.lock = &s->lock;
	log->ids = s->ids;
	if (!log_scan(log, &scanner) || warned || log->ids->nclaims > s->ids->nclaims)
		s->refused = true;
}

/* Logs whose bytes are swapped or converted can be scanned only once. */
static bool scannable(const struct log *logs, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (logs[i].swapped || logs[i].graze)
			return false;
	return n > 1 && parallel_workers() > 1;
}

static bool results_prepare(struct log_result *results, const struct log *logs, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		results[i].lost = logs[i].lost;
		if (logs[i].name && !(results[i].name = strdup(logs[i].name)))
			return false;
	}
	return true;
}

static void scan_undo(struct log *log, struct log_result *before)
{
	free(log->ranges);
	if (!log->growing)
		free(log->checkpoints);
	free(log->marks.list);
	free(log->name);
	free(log->first_name);
	log->first_name = NULL;
	log->renamed = false;
	log->ranges = NULL;
	log->checkpoints = NULL;
	log->nranges = log->ncheckpoints = 0;
	log->marks = (struct log_marks){0};
	log->events = log->used = log->last = 0;
	log->disordered = false;
	log->lost = before->lost;
	log->name = before->name;
	before->name = NULL;
	memset(&log->skipped, 0, sizeof log->skipped);
}

/* Adds the results in the order of the logs. */
static bool results_add(struct parallel_scan *s, size_t n)
{
	unsigned nevents = s->scanner->spec->nevents;

	for (size_t i = 0; i < n; i++)
		for (size_t k = 0; k < s->results[i].samples.count; k++)
			if (!clock_samples_add(s->scanner->samples, &s->results[i].samples.list[k]))
				return false;
	for (unsigned w = 0; w < parallel_workers(); w++)
		for (unsigned i = 0; i < nevents; i++)
			s->scanner->counts[i] += s->counts[(size_t)w * (nevents + 1) + i];
	return true;
}

bool logs_scan(struct log *logs, size_t n, const struct id_table *ids,
	       const struct scanner *scanner)
{
	struct parallel_scan s = {
	    .logs = logs, .ids = ids, .scanner = scanner, .lock = PTHREAD_MUTEX_INITIALIZER};
	bool good = scannable(logs, n);

	if (!good)
		return false;
	s.results = calloc(n, sizeof *s.results);
	s.counts =
	    calloc((size_t)parallel_workers() * (scanner->spec->nevents + 1), sizeof *s.counts);
	good = s.results && s.counts && results_prepare(s.results, logs, n);
	if (good) {
		parallel_for(n, scan_one, &s);
		good = !s.refused && results_add(&s, n);
		for (size_t i = 0; !good && i < n; i++)
			scan_undo(&logs[i], &s.results[i]);
	}
	for (size_t i = 0; s.results && i < n; i++) {
		free(s.results[i].name);
		free(s.results[i].samples.list);
	}
	free(s.results);
	free(s.counts);
	return good;
}
