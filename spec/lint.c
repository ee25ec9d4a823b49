#include "spec/resolver.h"
void spec_lint(const struct spec *s, struct diag *diag)
{
	(void)s, (void)diag;
}
