/*
 * Fuzzes all that reads a specification or a series expression. The first byte chooses which of the
 * two; of an accepted specification the text must be accepted again and mean the same.
 */
#include "grammar/parse.h"
#include "spec/spec.h"
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Diagnostics are printed, too: they quote the input. */
static struct diag diag_new(void)
{
	static FILE *nowhere;
	if (!nowhere)
		nowhere = fopen("/dev/null", "w");
	return (struct diag){.out = nowhere};
}

static void series_try(const char *text)
{
	struct diag diag = diag_new();
	struct source *source = source_text("fuzz", text);
	ast_free(parse_series(source, &diag));
	source_free(source);
}

static void spec_try(const char *text)
{
	struct diag diag = diag_new();
	struct spec *s = spec_parse("fuzz", text, &diag);
	if (!s)
		return;
	struct spec *again = spec_parse("text", s->text, &diag);
	if (!again || again->schema != s->schema || again->nintervals != s->nintervals)
		abort();
	spec_free(again);
	spec_free(s);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (size == 0)
		return 0;
	char *text = malloc(size);
	memcpy(text, data + 1, size - 1);
	text[size - 1] = '\0';
	(data[0] == '$' ? series_try : spec_try)(text);
	free(text);
	return 0;
}
