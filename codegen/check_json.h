/*
 * Writes messages for editors, for --check --format=json: as PublishDiagnosticsParams of the
 * language server protocol.
 */
#ifndef GLIMPSE_CODEGEN_CHECK_JSON_H
#define GLIMPSE_CODEGEN_CHECK_JSON_H

#include "grammar/diag.h"

struct check_json;

struct check_json *check_json_new(void);
/* Begins a specification: it is listed also without messages, and gets those that have no place. */
void check_json_begin(struct check_json *c, const char *path);
/* Takes a message: for struct diag. */
void check_json_take(void *check_json, const struct diag_message *m);
/* Prints an object on a line for each file. */
void check_json_print(const struct check_json *c, FILE *out);
void check_json_free(struct check_json *c);

#endif
