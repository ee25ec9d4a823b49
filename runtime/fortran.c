/*
 * For Fortran without the module, which is FORTRAN 77: external names as gfortran makes them,
 * arguments by reference, and the length of a text, which blanks pad, behind the others.
 * A call does not tell how many arguments it has, so a directory needs a name of its own.
 */
#include "runtime/glimpse.h"
#include <limits.h>

void glimpse_init_(void);
void glimpse_init_dir_(const char *directory, size_t length);
void glimpse_terminate_(void);
void glimpse_thread_name_(const char *name, size_t length);
void glimpse_thread_close_(void);

/* The text without the blanks at its end, as C has it; what does not fit is cut. */
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
	char path[PATH_MAX + 1]; /* one more than is allowed: what is too long stays too long */

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
