#include "spec/resolver.h"

#include <string.h>

/* Types of other languages, which become attributes here: "event A(float x)" has two, both int. */
static const char *const foreign[] = {
    "bool",	"boolean", "byte",     "char",	  "float",    "int16_t",  "int32",  "int32_t",
    "int64",	"int64_t", "integer",  "pointer", "real",     "short",	  "size_t", "str",
    "uint16_t", "uint32",  "uint32_t", "uint64",  "uint64_t", "unsigned",
};

static bool is_foreign_type(const char *name)
{
	for (size_t i = 0; i < sizeof foreign / sizeof *foreign; i++)
		if (strcmp(foreign[i], name) == 0)
			return true;
	return false;
}

void members_lint(struct resolver *r, const struct ast_event *e)
{
	for (const struct ast_member *m = e->members; m && m->next; m = m->next) {
		if (m->type.text || m->next->behind_comma || !is_foreign_type(m->name.text))
			continue;
		diag_warning(r->diag, "type-as-attribute", m->name.where,
			     "'%s' is no type but an attribute of its own, like '%s' behind it",
			     m->name.text, m->next->name.text);
	}
}
