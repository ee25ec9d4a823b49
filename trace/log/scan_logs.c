/* Several logs at a time. */
#include "base/parallel.h"
#include "trace/log/scan.h"
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

/* What of a log is not as it was when it has been scanned, and what the scan is to add to. */
struct scanned {
	char *name;
	uint64_t lost;
	struct clock_samples pairs;
};

struct scanning {
	struct log *logs;
	const struct id_table *ids;
	const struct scanner *scanner;
	struct scanned *scanned; /* by log */
	uint64_t *counts;	 /* by worker and event type */
	pthread_mutex_t lock;
	atomic_bool refused;
};

static void scan_one(void *context, size_t i, unsigned worker)
{
	struct scanning *s = context;
	struct log *log = &s->logs[i];
	struct scanner scanner = *s->scanner;
	bool told = false;

	if (s->refused)
		return;
	scanner.counts = s->counts + (size_t)worker * (scanner.spec->nevents + 1);
	scanner.pairs = &s->scanned[i].pairs;
	scanner.diag = NULL;
	scanner.told = &told;
	scanner.lock = &s->lock;
	log->ids = s->ids;
	if (!log_scan(log, &scanner) || told || log->ids->nclaims > s->ids->nclaims)
		s->refused = true;
}

/* Logs whose bytes are turned or made anew can be scanned once only. */
static bool scannable(const struct log *logs, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (logs[i].swapped || logs[i].graze)
			return false;
	return n > 1 && parallel_workers() > 1;
}

static bool scanned_save(struct scanned *scanned, const struct log *logs, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		scanned[i].lost = logs[i].lost;
		if (logs[i].name && !(scanned[i].name = strdup(logs[i].name)))
			return false;
	}
	return true;
}

static void scan_undo(struct log *log, struct scanned *scanned)
{
	free(log->ranges);
	if (!log->growing)
		free(log->checkpoints);
	free(log->marks.list);
	free(log->name);
	log->ranges = NULL;
	log->checkpoints = NULL;
	log->nranges = log->ncheckpoints = 0;
	log->marks = (struct marks){0};
	log->events = log->used = log->last = 0;
	log->disordered = false;
	log->lost = scanned->lost;
	log->name = scanned->name;
	scanned->name = NULL;
	memset(&log->skipped, 0, sizeof log->skipped);
}

/* In the order of the logs, as if they had been scanned in it. */
static bool scan_keep(struct scanning *s, size_t n)
{
	unsigned nevents = s->scanner->spec->nevents;

	for (size_t i = 0; i < n; i++)
		for (size_t k = 0; k < s->scanned[i].pairs.count; k++)
			if (!pairs_add(s->scanner->pairs, &s->scanned[i].pairs.list[k]))
				return false;
	for (unsigned w = 0; w < parallel_workers(); w++)
		for (unsigned i = 0; i < nevents; i++)
			s->scanner->counts[i] += s->counts[(size_t)w * (nevents + 1) + i];
	return true;
}

bool logs_scan(struct log *logs, size_t n, const struct id_table *ids,
	       const struct scanner *scanner)
{
	struct scanning s = {
	    .logs = logs, .ids = ids, .scanner = scanner, .lock = PTHREAD_MUTEX_INITIALIZER};
	bool good = scannable(logs, n);

	if (!good)
		return false;
	s.scanned = calloc(n, sizeof *s.scanned);
	s.counts =
	    calloc((size_t)parallel_workers() * (scanner->spec->nevents + 1), sizeof *s.counts);
	good = s.scanned && s.counts && scanned_save(s.scanned, logs, n);
	if (good) {
		parallel_for(n, scan_one, &s);
		good = !s.refused && scan_keep(&s, n);
		for (size_t i = 0; !good && i < n; i++)
			scan_undo(&logs[i], &s.scanned[i]);
	}
	for (size_t i = 0; s.scanned && i < n; i++) {
		free(s.scanned[i].name);
		free(s.scanned[i].pairs.list);
	}
	free(s.scanned);
	free(s.counts);
	return good;
}
