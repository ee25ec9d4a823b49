#include "runtime/warning.h"
#include <stdbool.h>
#include <string.h>
#include <unistd.h>

struct line {
	char text[480];
	size_t length;
};

static bool printed[WARNING_KINDS];

static void line_add(struct line *l, const char *s)
{
	size_t n = strlen(s);

	if (n > sizeof l->text - 1 - l->length)
		n = sizeof l->text - 1 - l->length;
	memcpy(l->text + l->length, s, n);
	l->length += n;
}

static const char *error_text(int error)
{
#ifdef __GLIBC__
	const char *text = strerrordesc_np(error);

	return text ? text : "unknown error";
#else
	return strerror(error);
#endif
}

void gl_warning_print(enum warning_kind kind, const char *what, const char *path, int error,
		      const char *remedy)
{
	struct line l = { .length = 0 };
	ssize_t ignored;

	if (__atomic_exchange_n(&printed[kind], kind != WARNING_NOTICE, __ATOMIC_RELAXED))
		return;
	line_add(&l, "glimpse: ");
	line_add(&l, what);
	if (path) {
		line_add(&l, " ");
		line_add(&l, path);
	}
	if (error) {
		line_add(&l, ": ");
		line_add(&l, error_text(error));
	}
	if (remedy) {
		line_add(&l, "; ");
		line_add(&l, remedy);
	}
	l.text[l.length++] = '\n';
	ignored = write(STDERR_FILENO, l.text, l.length);
	(void)ignored;
}

void gl_warning_reset(void)
{
	memset(printed, 0, sizeof printed);
}
