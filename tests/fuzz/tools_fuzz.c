/*
 * Log directories from nowhere for what stands on the reader: the switches, and the commands ctl,
 * stats, match, check, info and nibble. Whatever the bytes, each must answer.
 *
 * Input: a byte that chooses the command, and in what format; then the files, as files.h has them.
 */
#include "cli/common/command.h"
#include "cli/live/switches.h"
#include "tests/fuzz/files.h"
#include "viewers/nibble/plot/series_text.h"
#include "viewers/nibble/run.h"
#include <stdlib.h>
#include <string.h>

#define MESSAGES                                                                                \
	"glimpse messages\nevent Send(int to, int seq);\nevent Recv(int seq);\n"                \
	"interval Transit [ s:Send -> r:Recv ] where s.seq == r.seq\n"                          \
	"	metric gap = r.seq - s.to metric share = s.to / r.seq;\n"                       \
	"interval Near [ s:Send -> r:Recv ] where s.seq < r.seq && s.to > r.seq;\n"             \
	"interval Idle [ a:Recv -> b:Recv ];\n"                                                 \
	"assert Transit: time < 1 us && gap > 0;\nassert max(Transit.share) < 1;\n"             \
	"assert p99(Near.time) < count(Recv) * 1 ns;\nend\n"

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size);

static FILE *nowhere;

/* Turns every event of the run off and on again. */
static void switches_try(const char *directory, struct diag *diag)
{
	struct process_switches s = {.nspecs = 0};

	if (switches_open(&s, directory, true, diag))
		for (unsigned i = 0; i < s.nevents; i++) {
			bool on = switches_is_on(&s, s.events[i].id);

			switches_set(&s, s.events[i].id, !on, diag);
			switches_set(&s, s.events[i].id, on, diag);
		}
	switches_close(&s);
}

static void command_try(const struct command *c, const char *directory, enum format format)
{
	struct command_request r = {.directories = &directory, .ndirectories = 1, .out = nowhere};

	if (c->formats & FORMATS(format))
		r.format = format;
	c->run(&r);
}

static void nibble_try(const char *directory, unsigned number, struct diag *diag)
{
	static const char *const texts[] = {
	    "count(Send) per thread", "rate(Recv)", "open(Transit)", "p50(Transit.time)",
	    "hist(Send.seq)", "value(Send.to) - mean(Recv.seq)", "unmatched(Near)",
	    "heat(Transit.gap)", "busy(Idle) per thread", "cdf(Transit.share)",
	    "sum(All.d) per i", "max(Same.time)",
	};
	struct nibble_options o = {.action = ACTION_CSV, .from = 0, .to = INT64_MAX,
				   .plot = {.width = 1200, .height = 675},
				   .runs = &directory, .nruns = 1,
				   .expressions = &texts[number % (sizeof texts / sizeof *texts)],
				   .nexpressions = 1};
	struct expressions x = {0};
	struct family family = {0};
	struct runs runs = {0};

	if (expressions_take(&x, o.expressions, 1, diag) && runs_open(&runs, &o, diag) &&
	    runs_evaluate(&runs, &o, &x, &family, diag)) {
		curves_write_csv(nowhere, &family, 1, runs.range);
		curves_write_json(nowhere, &family, 1, runs.range);
	}
	family_free(&family);
	expressions_free(&x);
	runs_close(&runs);
}

/* Asks for all that stats and match can find out. */
static void options_take(const struct command *c)
{
	static const char *const wanted[] = {"metric", "depth", "unmatched"};

	for (const struct choice *o = c->options; o->take; o++)
		for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++)
			if (strcmp(o->name, wanted[i]) == 0)
				o->take(NULL);
}

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size)
{
	static const struct command *const commands[] = {&cmd_stats, &cmd_match, &cmd_check,
							 &cmd_info, &cmd_ctl};
	enum { COMMANDS = sizeof commands / sizeof *commands };
	static const char *directory;
	struct diag quiet = {.program = "tools_fuzz"};
	unsigned tool, rest;

	if (!directory) {
		directory = files_directory(MESSAGES);
		nowhere = fopen("/dev/null", "w");
		options_take(&cmd_stats);
		options_take(&cmd_match);
	}
	if (size == 0 || !nowhere)
		return 0;
	files_write(data + 1, size - 1);
	tool = data[0] % (COMMANDS + 2);
	rest = data[0] / (COMMANDS + 2);
	if (tool < COMMANDS)
		command_try(commands[tool], directory, rest % 3);
	else if (tool == COMMANDS)
		nibble_try(directory, rest, &quiet);
	else
		switches_try(directory, &quiet);
	return 0;
}
