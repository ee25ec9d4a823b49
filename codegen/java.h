/* Keeps the settings of the target Java. */
#ifndef GLIMPSE_CODEGEN_JAVA_H
#define GLIMPSE_CODEGEN_JAVA_H

#include <stdbool.h>

/*
 * Set the name of the class, and its package, as --class and --package say, before any check.
 * Return false if Java cannot have such a name. The text must outlive the program's work.
 */
bool java_choose_class(const char *name);
bool java_choose_package(const char *name);

#endif
