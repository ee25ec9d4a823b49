#include "cli/common/lost.h"
#include "analysis/samples/cut_stacks.h"
#include "base/visible.h"
#include "cli/common/screen.h"
#include <errno.h>
#include <stdlib.h>

void lost_remark(FILE *out, const struct trace *t, const char *run)
{
	char *text = losses_text(t);
	FILE *to = out ? out : stderr;

	if (!text)
		return;
	screen_tone(to, TONE_BAD);
	if (!out)
		fprintf(to, "%s: warning: ", program_invocation_short_name);
	if (run) {
		visible_puts(to, run);
		fputs(": ", to);
	}
	fputs(text, to);
	screen_tone(to, TONE_PLAIN);
	fputs(out ? "\n\n" : "\n", to);
	free(text);
}

void cut_remark(FILE *out, const struct trace *t)
{
	char *text = cut_stacks_text(t);

	if (text)
		fprintf(out, "\n%s\n", text);
	free(text);
}

void unrecorded_remark(FILE *out, const struct trace *t, uint32_t needs)
{
	char *text = unrecorded_text(t, needs);

	if (text)
		fprintf(out, "\n%s\n", text);
	free(text);
}
