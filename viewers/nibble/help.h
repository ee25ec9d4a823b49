/* What nibble --help prints. */
#ifndef GLIMPSE_NIBBLE_HELP_H
#define GLIMPSE_NIBBLE_HELP_H

/* Prints how to call nibble; the table of options comes from their own help() in between. */
void help_usage(void);
void help_language(void);

#endif
