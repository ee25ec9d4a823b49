#include "options.h"

#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char usage[] =
	"usage: pgz [OPTION]... [FILE]\n"
	"Compresses FILE (or - for standard input) to FILE.gz, with several threads.\n"
	"\n"
	"  -p, --workers=N       compress with N threads (default: one for each processor)\n"
	"  -l, --level=LEVEL     0 (store) to 9 (smallest); default 6\n"
	"  -b, --block=BYTES     size of the pieces handed to the threads; default 128K\n"
	"  -o, --output=OUT      write to OUT (- for standard output, the default with -)\n"
	"      --slow-worker=MS  let worker 0 take MS milliseconds longer for each block:\n"
	"                        a fault to be found in the picture\n"
	"  -h, --help            print this\n";

static const struct option options[] = {
	{"workers", required_argument, NULL, 'p'},
	{"level", required_argument, NULL, 'l'},
	{"block", required_argument, NULL, 'b'},
	{"output", required_argument, NULL, 'o'},
	{"slow-worker", required_argument, NULL, 's'},
	{"help", no_argument, NULL, 'h'},
	{0},
};

static void refuse(const char *what, const char *why)
{
	fprintf(stderr, "pgz: %s: %s; try pgz --help\n", what, why);
	exit(2);
}

/* A whole number from low to high, with K or M after it if that fits. */
static long number_read(const char *text, long low, long high)
{
	char *end, why[80];
	long value;

	errno = 0;
	value = strtol(text, &end, 10);
	if ((*end == 'K' || *end == 'M') && labs(value) <= high)
		value *= *end++ == 'K' ? 1024 : 1024 * 1024;
	if (end == text || *end || errno || value < low || value > high) {
		snprintf(why, sizeof why, "expected a number from %ld to %ld", low, high);
		refuse(text, why);
	}
	return value;
}

static const char *default_output(const char *input)
{
	static char *name;      /* needed as long as the program runs */

	if (strcmp(input, "-") == 0)
		return "-";
	if (asprintf(&name, "%s.gz", input) < 0)
		refuse(input, "out of memory");
	return name;
}

static void option_set(struct options *o, int letter)
{
	switch (letter) {
	case 'p':
		o->workers = number_read(optarg, 1, 256);
		break;
	case 'l':
		o->level = number_read(optarg, 0, 9);
		break;
	case 'b':
		o->block_size = number_read(optarg, 1024, 64 * 1024 * 1024);
		break;
	case 'o':
		o->output = optarg;
		break;
	case 's':
		o->slow_ms = number_read(optarg, 0, 60 * 1000);
		break;
	case 'h':
		fputs(usage, stdout);
		exit(0);
	default:
		fputs("try pgz --help\n", stderr);
		exit(2);
	}
}

void options_read(struct options *o, int argc, char **argv)
{
	long processors = sysconf(_SC_NPROCESSORS_ONLN);
	int letter;

	*o = (struct options){
		.workers = processors < 1 ? 1 : processors > 256 ? 256 : processors,
		.level = 6,
		.block_size = 128 * 1024,
		.input = "-",
	};
	while ((letter = getopt_long(argc, argv, "p:l:b:o:h", options, NULL)) >= 0)
		option_set(o, letter);
	if (optind < argc)
		o->input = argv[optind++];
	if (optind < argc)
		refuse(argv[optind], "only one FILE can be compressed");
	if (!o->output)
		o->output = default_output(o->input);
}
