#include "base/array.h"
#include "base/output.h"
#include "cli/check_print.h"
#include "cli/command.h"
#include "cli/intervals.h"
#include <stdlib.h>

static const char *junit;
static size_t worst = 5;

static void take_junit(const char *path)
{
	junit = path;
}

static void take_worst(const char *value)
{
	char *end;
	unsigned long number = strtoul(value, &end, 10);

	if (*value < '0' || *value > '9' || *end || number > 1000000)
		usage_fail("--worst needs a number");
	worst = number;
}

static bool junit_write(struct request *r, struct aggregates *a, const struct trace *t,
			const struct verdict *v, size_t n)
{
	struct output *output = output_begin(NULL, 0, diag_write_failed, &r->diag);
	FILE *out = output_file(output, "%s", junit);

	if (out)
		check_junit(out, a, t, v, n);
	return output_commit(output);
}

static int report(struct request *r, struct trace *t, struct aggregates *a,
		  const struct verdict *verdicts, size_t n)
{
	int status = EXIT_FINE;

	for (size_t i = 0; i < n; i++)
		if (!verdicts[i].holds)
			status = EXIT_NO;
	if (r->format == FORMAT_JSON)
		check_json(r->out, a, verdicts, n);
	else
		check_text(r->out, a, t, verdicts, n);
	if (junit && !junit_write(r, a, t, verdicts, n))
		return EXIT_ERROR;
	return status;
}

static int check_all(struct request *r, struct trace *t)
{
	const struct spec *spec = t->spec;
	struct aggregates *a = aggregates_new(t);
	struct verdict *verdicts = array_new(spec->nassertions, sizeof *verdicts);
	int status;

	for (unsigned i = 0; i < spec->nassertions; i++)
		verdicts[i] = check_assertion(a, spec->assertions[i], worst);
	status = report(r, t, a, verdicts, spec->nassertions);
	for (unsigned i = 0; i < spec->nassertions; i++)
		verdict_clear(&verdicts[i]);
	free(verdicts);
	aggregates_free(a);
	return status;
}

static int run(struct request *r)
{
	struct trace *t = request_open(r);
	int status = EXIT_ERROR;

	if (!t)
		return EXIT_ERROR;
	if (t->spec->nassertions)
		status = check_all(r, t);
	else
		diag_error(
		    &r->diag, DIAG_NOWHERE,
		    "the specification '%s' has no assertions; give another one with -s FILE",
		    t->spec->name);
	trace_close(t);
	return status;
}

static const struct choice options[] = {
	{0, "junit", "FILE", "also write the results as JUnit XML", take_junit},
	MEMORY_OPTION,
	{0, "worst", "N", "show at most this many violations of each assertion (5)", take_worst},
	{0, NULL, NULL, NULL, NULL},
};

const struct command cmd_check = {
    .name = "check",
    .summary = "test the assertions: exit status 0 if all hold, 1 if not",
    .teaches =
	"Tests each assertion of the specification on the trace and prints whether it holds and,\n"
	"if not, the instances that violate it most, with the events to look for. An assertion\n"
	"over a statistic without values does not hold.\n"
	"Exit status: 0 all hold, 1 one is violated, 2 error.\n",
    .examples = "  glimpse check run1\n"
		"  glimpse check run1 -s limits.spec --junit check.xml\n",
    .formats = FORMATS(FORMAT_TEXT) | FORMATS(FORMAT_JSON),
    .options = options,
    .run = run,
};
