/* Names of functions in the running process, by the symbol tables of its modules. */
#ifndef GLIMPSE_PROBES_FUNCTIONS_NAMES_H
#define GLIMPSE_PROBES_FUNCTIONS_NAMES_H

#include <stdbool.h>
#include <stdint.h>

/*
 * Returns the linker's name of the function that begins at an address, which lives as long as the
 * process; NULL if no symbol table has one. For one thread at a time.
 */
const char *names_find(uintptr_t function);

/*
 * Returns whether a pattern of the shell fits a name: as it is, demangled ("ns::f<int>(char)"), or
 * demangled without parameters and result. Names of C++ are demangled by the process' own C++
 * library, if it has one.
 */
bool names_fit(const char *pattern, const char *name);

/*
 * Return the address of a symbol of the program itself, 0 if it has none; whether it has a section.
 */
uintptr_t names_program_symbol(const char *name);
bool names_program_section(const char *name);

/*
 * Returns whether two modules have executable memory with the same low 32 bits. Looks at them only
 * if some were loaded since the last call; else it is false.
 */
bool names_modules_collide(void);

#endif
