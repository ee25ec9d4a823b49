/* glimpse spark-submit: our own matcher in a job of Spark, for what SQL cannot say. */
#include "base/array.h"
#include "base/path.h"
#include "cli/common/command.h"
#include "cli/spark/plan.h"
#include "spec/names.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define JOB "glimpse_spark.py"

static const char *master = "local[*]", *slice;
static bool prints_plan;
static VECTOR(const char *) names;

static void take_interval(const char *name)
{
	*vector_add(&names) = name;
}

static void take_master(const char *url)
{
	master = url;
}

static void take_slice(const char *length)
{
	int64_t ns = usage_time("--slice", length);

	if (ns <= 0)
		usage_fail("--slice: '%s' is not above 0", length);
	slice = text_format("%lld", (long long)ns);
}

static void take_plan(const char *unused)
{
	(void)unused;
	prints_plan = true;
}

/* ---- the job ---- */

static char *job_find(void)
{
	return path_installed("../share/glimpse", JOB_FOLDER, JOB);
}

__attribute__((noreturn)) static void take_print_job(const char *unused)
{
	char *job = job_find();

	(void)unused;
	if (!job)
		usage_fail("there is no " JOB_FOLDER "/" JOB);
	puts(job);
	free(job);
	usage_end();
}

/* ---- the plan ---- */

static bool is_named(const struct interval *i)
{
	for (size_t k = 0; k < names.n; k++)
		if (strcmp(names.at[k], i->name) == 0)
			return true;
	return names.n == 0;
}

/* Returns the intervals that are asked for, the caller's; NULL after a report. */
static const struct interval **intervals_named(const struct spec *spec, struct diag *diag)
{
	const struct interval **chosen;
	size_t n = 0;

	for (size_t k = 0; k < names.n; k++)
		if (!spec_interval(spec, names.at[k])) {
			diag_unknown(diag, DIAG_NOWHERE, nearest_interval(spec, names.at[k]),
				     "there is no interval '%s'", names.at[k]);
			return NULL;
		}
	chosen = array_zero(spec->nintervals + 1, sizeof *chosen);
	for (unsigned i = 0; i < spec->nintervals; i++)
		if (is_named(spec->intervals[i]))
			chosen[n++] = spec->intervals[i];
	return chosen;
}

static int plan_write(struct command_request *r, const char *path, FILE *out)
{
	struct spec *spec = spec_read_for_logs(path, &r->diag);
	const struct interval **intervals = spec ? intervals_named(spec, &r->diag) : NULL;

	if (intervals)
		spark_plan_print(spec, intervals, out);
	free(intervals);
	spec_free(spec);
	return intervals ? EXIT_FINE : EXIT_ERROR;
}

/* Whether a path is one of this machine, not hdfs://... */
static bool is_here(const char *path)
{
	return strstr(path, "://") == NULL;
}

/* The specification of the tables lies in their directory, which may be on another machine. */
static const char *spec_choose(const struct command_request *r)
{
	if (r->spec)
		return r->spec;
	if (!is_here(r->directories[0]))
		usage_fail(
		    "the tables are not on this machine; give the specification with -s FILE");
	return text_format("%s/specification.spec", r->directories[0]);
}

/* Writes the plan for the job, which removes the file. Returns its path; NULL after a report. */
static char *plan_save(struct command_request *r)
{
	const char *folder = getenv("TMPDIR");
	char *path = text_format("%s/glimpse-spark-XXXXXX", folder && *folder ? folder : "/tmp");
	int fd = mkstemp(path);
	FILE *file = fd < 0 ? NULL : fdopen(fd, "w");
	bool good;

	if (!file) {
		diag_write_failed(&r->diag, path);
		free(path);
		return NULL;
	}
	good = plan_write(r, spec_choose(r), file) == EXIT_FINE;
	if (fclose(file) != 0 && good) {
		diag_write_failed(&r->diag, path);
		good = false;
	}
	if (good)
		return path;
	unlink(path);
	free(path);
	return NULL;
}

/* ---- Spark ---- */

#define NO_SPARK \
	"there is no spark-submit: unpack Spark (https://spark.apache.org) and set SPARK_HOME, or install it with: " \
	"pip install pyspark"

/* Runs the spark-submit of a Python that has pyspark. */
static const char by_python[] =
    "import importlib.util, os, sys\n"
    "pyspark = importlib.util.find_spec('pyspark')\n"
    "if not pyspark:\n"
    "    sys.exit(3)\n"
    "home = pyspark.submodule_search_locations[0]\n"
    "os.environ['SPARK_HOME'] = home\n"
    "os.execv(home + '/bin/spark-submit', ['spark-submit'] + sys.argv[1:])\n";

static bool python_has_spark(void)
{
	return system("python3 -c 'import sys, importlib.util; "
		      "sys.exit(not importlib.util.find_spec(\"pyspark\"))' 2>/dev/null") == 0;
}

/* Becomes spark-submit; returns if there is none. The first three of argv are for Python. */
static void spark_become(const char **argv)
{
	const char *home = getenv("SPARK_HOME");

	argv[2] = "spark-submit";
	if (home && *home) {
		execv(text_format("%s/bin/spark-submit", home), (char *const *)argv + 2);
		return;
	}
	execvp("spark-submit", (char *const *)argv + 2);
	if (!python_has_spark())
		return;
	argv[0] = "python3";
	argv[1] = "-c";
	argv[2] = by_python;
	execvp(argv[0], (char *const *)argv);
}

typedef VECTOR(const char *) words;

static void words_add(words *w, const char *word, const char *value)
{
	*vector_add(w) = word;
	if (value)
		*vector_add(w) = value;
}

/* Starts the job instead of this command. */
static int job_start(struct command_request *r)
{
	words argv = {0};
	char *job = job_find(), *plan;

	if (prints_plan)
		return EXIT_FINE;
	if (r->nfirst != 1)
		usage_fail("expected one directory of tables");
	if (!r->output)
		usage_fail("no directory for the result; give it with -o DIRECTORY");
	if (is_here(r->output) && !request_output_is_free(r, "directory"))
		return EXIT_ERROR;
	if (!job) {
		diag_error(&r->diag, DIAG_NOWHERE, "there is no " JOB_FOLDER "/" JOB);
		return EXIT_ERROR;
	}
	plan = plan_save(r);
	if (!plan)
		return EXIT_ERROR;
	words_add(&argv, "", "");
	words_add(&argv, "", NULL);
	words_add(&argv, "--master", master);
	words_add(&argv, "--name", "glimpse");
	words_add(&argv, "--conf", "spark.log.level=WARN");
	for (unsigned i = r->nfirst; i < r->ndirectories; i++)
		words_add(&argv, r->directories[i], NULL);
	words_add(&argv, job, NULL);
	if (slice)
		words_add(&argv, "--slice", slice);
	words_add(&argv, text_format("%s/glimpse", path_own_folder()), plan);
	words_add(&argv, r->directories[0], r->output);
	*vector_add(&argv) = NULL;
	spark_become(argv.at);
	unlink(plan);
	diag_error(&r->diag, DIAG_NOWHERE, NO_SPARK);
	return EXIT_ERROR;
}

static int plan_print(struct command_request *r)
{
	return plan_write(r, spec_choose(r), r->out);
}

static const struct choice options[] = {
    {'i', "interval", "NAME", "find only this interval (repeatable)", take_interval},
    {0, "master", "URL", "use this cluster, named as for spark-submit [local[*], this machine]",
     take_master},
    {0, "slice", "TIME", "set the length of time slices [about a million events]", take_slice},
    {'o', "output", "DIRECTORY", "write the result to DIRECTORY, which must not exist",
     request_take_output},
    {0, "plan", NULL, "print the partitioning of each interval as JSON, and run nothing",
     take_plan},
    {0, "print-job", NULL, "print the path of the job, for your own spark-submit", take_print_job},
    {0, NULL, NULL, NULL, NULL},
};

const struct command cmd_spark_submit = {
    .name = "spark-submit",
    .summary = "find the intervals of tables with Spark, in a cluster",
    .operands = "DATA [-- OPTION...]",
    .teaches =
	"Runs a Spark job that finds the same instances as `glimpse match`, in tables written by `glimpse export\n"
	"--format=parquet`. The job partitions the events by the equalities in the condition of an interval, or by\n"
	"overlapping time slices, and runs the matcher on each partition. So it also finds intervals that\n"
	"`glimpse sql` refuses. DIRECTORY gets one Parquet table per interval, with the columns of `glimpse sql`.\n\n"
	"spark-submit comes from SPARK_HOME, PATH or python3's pyspark, and gets the options after \"--\". Each\n"
	"machine of the cluster needs Glimpse, and must reach DATA by the same name.\n",
    .examples =
	"  glimpse export run1 --format=parquet -o tables\n"
	"  glimpse spark-submit tables -o instances\n"
	"  glimpse spark-submit -s other.spec --interval Ahead --master spark://host:7077 \\\n"
	"          hdfs://name/tables -o hdfs://name/ahead -- --executor-memory 8g\n",
    .options = options,
    .before = job_start,
    .run = plan_print,
};
