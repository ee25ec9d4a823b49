/*
 * Fortran: the module NAME_glimpse.f90 and the C file NAME_glimpse_f.c that it calls, beside the
 * files of the target C, which hold the specification. A program with parts in both languages
 * has each of them once, and so registers once.
 */
#include "codegen/fortran.h"
#include "codegen/target.h"

static void check(const struct spec *s, struct diag *d)
{
	target_c.check(s, d);
	fortran_check(s, d);
}

static void emit(const struct spec *s, struct output *o)
{
	FILE *module = output_file(o, "%s_glimpse.f90", s->name);
	FILE *stubs = output_file(o, "%s_glimpse_f.c", s->name);

	if (module)
		fortran_emit_module(module, s);
	if (stubs)
		fortran_emit_stubs(stubs, s);
	target_c.emit(s, o);
}

const struct target target_fortran = {
	.name = "fortran",
	.alias = "f90",
	.description = "Fortran: NAME_glimpse.f90, NAME_glimpse_f.c, and the files of c",
	.check = check,
	.emit = emit,
};
