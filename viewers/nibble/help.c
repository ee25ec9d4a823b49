#include "viewers/nibble/help.h"

#include "viewers/nibble/expr/function.h"

#include <stdio.h>

void help_usage(void)
{
	fputs("usage: nibble [OPTION...] DIRECTORY... EXPRESSION...\n"
	      "Draws statistics of a run over time. Several expressions share a plot where their "
	      "units agree;\n"
	      "several directories are runs that are laid over one another.\n"
	      "\n",
	      stdout);
}

static void help_examples(void)
{
	fputs("\nExamples, where run1 is a log directory:\n"
	      "  nibble run1 'count(Sendmsg)' 'count(Recvmsg)' -o messages.png\n"
	      "  nibble run1 'count(Sendmsg[thread=0]) - count(Recvmsg[thread=1])'\n"
	      "  nibble run1 'p50(Transit.time, window 10 ms)' 'p99(Transit.time, window 10 ms)' "
	      "--log y\n"
	      "  nibble run1 'hist(Transit[where s.src == 3].time)' -o transit.svg\n"
	      "  nibble run1 'rate(Sendmsg) per thread' --csv\n"
	      "\n"
	      "Exit status: 0 drawn, 2 an error. nibble(1) says more.\n",
	      stdout);
}

void help_language(void)
{
	fputs("\nFunctions (E: an event, I: an interval, X: either, X.v: an event's attribute, an "
	      "interval's\n"
	      "time or metric, s: a series):\n",
	      stdout);
	for (const struct function *f = functions; f->name; f++)
		printf("  %-16s %s\n", f->example, f->does);
	fputs("\n"
	      "After a name: [thread=0] [thread=\"worker*\"] [where src == 3]. After the last "
	      "argument: window 5 ms\n"
	      "or, of hist, bins 20. After a function: per thread, per src (one curve for each).\n"
	      "Between series and numbers (3, 10 ms, 64 KiB): + - * / ( ).\n",
	      stdout);
	help_examples();
}
