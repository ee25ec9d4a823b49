/*
 * speccheck [OPTION] FILE: reads a specification as the tools do and prints its diagnostics on
 * stdout.
 *	-Wno-NAME       mutes a warning         -Werror         warnings are errors
 *	-IFOLDER        imports are found there, too
 *	--text          prints the specification with its imports in place
 *	--schema        prints the schema identity
 *	--series        the file holds one series expression; only its syntax is checked
 * Exit status 0, or 2 if there was an error.
 */
#include "grammar/parse.h"
#include "spec/import_path.h"
#include "spec/spec.h"
#include <inttypes.h>
#include <string.h>

static int series_check(const char *path, struct diag *diag)
{
	struct source *source = source_read(path);
	if (!source)
		return 2;
	struct ast *tree = parse_series(source, diag);
	ast_free(tree);
	source_free(source);
	return tree ? 0 : 2;
}

static int spec_check(const char *path, struct diag *diag, const char *print)
{
	struct spec *s = spec_read(path, diag);
	if (!s)
		return 2;
	if (strcmp(print, "--text") == 0)
		fputs(s->text, stdout);
	else if (strcmp(print, "--schema") == 0)
		printf("%016" PRIx64 "\n", s->schema);
	spec_free(s);
	return 0;
}

int main(int argc, char **argv)
{
	const char *muted[16] = {NULL}, *print = "";
	unsigned nmuted = 0;
	struct diag diag = {.out = stdout, .program = "speccheck", .muted = muted};
	for (int i = 1; i < argc - 1; i++) {
		if (strncmp(argv[i], "-Wno-", 5) == 0 && nmuted < 15)
			muted[nmuted++] = argv[i] + 5;
		else if (strncmp(argv[i], "-I", 2) == 0)
			import_folder_add(argv[i] + 2);
		else if (strcmp(argv[i], "-Werror") == 0)
			diag.warnings_are_errors = true;
		else
			print = argv[i];
	}
	if (argc < 2)
		return 2;
	if (strcmp(print, "--series") == 0)
		return series_check(argv[argc - 1], &diag);
	return spec_check(argv[argc - 1], &diag, print);
}
