/* Every warning that a specification can get. */
#ifndef GLIMPSE_SPEC_WARNINGS_H
#define GLIMPSE_SPEC_WARNINGS_H

struct warning {
	const char *name;       /* what -Wno-NAME mutes, as diag_warning() has it */
	const char *meaning;
};

/* Ends with a name that is NULL. A new warning is entered here, or it cannot be muted. */
extern const struct warning warnings[];

#endif
