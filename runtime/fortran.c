/*
 * The functions for FORTRAN 77, which has no modules: external names as gfortran makes them,
 * arguments by reference, and the length of a string, which blanks pad, after all arguments. A
 * function cannot see how many arguments a call has, so there are two to begin a run.
 */
#include "runtime/glimpse.h"
#include <limits.h>

void glimpse_init_(void);
void glimpse_init_dir_(const char *directory, size_t length);
void glimpse_terminate_(void);
void glimpse_thread_name_(const char *name, size_t length);
void glimpse_thread_close_(void);

/* Copies a text without the blanks at its end as a C string, cut if it does not fit. */
static void text_copy(char *out, size_t size, const char *text, size_t length)
{
	while (length && text[length - 1] == ' ')
		length--;
	if (length >= size)
		length = size - 1;
	memcpy(out, text, length);
	out[length] = '\0';
}

void glimpse_init_(void)
{
	glimpse_init(NULL);
}

void glimpse_init_dir_(const char *directory, size_t length)
{
	char path[PATH_MAX + 1]; /* one more than allowed: a text that is too long stays too long */

	text_copy(path, sizeof path, directory, length);
	glimpse_init(path);
}

void glimpse_terminate_(void)
{
	glimpse_close();
}

void glimpse_thread_name_(const char *name, size_t length)
{
	char kept[64];

	text_copy(kept, sizeof kept, name, length);
	glimpse_thread_name(kept);
}

void glimpse_thread_close_(void)
{
	glimpse_thread_close();
}
