#include "runtime/warning.h"
#include "runtime/file.h"
#include "runtime/request.h"
#include "runtime/system.h"
#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <string.h>
#include <sys/stat.h>

struct line {
	char text[480];
	size_t length;
};

static bool printed[WARNING_KINDS];

/* What stderr was as the program started. */
static bool known;
static dev_t device;
static ino_t inode; /* 0: it was closed */

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

void gl_warning_prepare(void)
{
	struct stat st;

	if (known)
		return;
	known = true;
	if (system_fstat(STDERR_FILENO, &st) == 0) {
		device = st.st_dev;
		inode = st.st_ino;
	}
}

static bool stderr_is_same(void)
{
	struct stat st;

	return inode && system_fstat(STDERR_FILENO, &st) == 0 && st.st_dev == device &&
	       st.st_ino == inode;
}

/* The signals of a pipe without a reader and of a file at its limit would end the program. */
static void line_write(const struct line *l)
{
	if (system_write(STDERR_FILENO, l->text, l->length) >= 0)
		return;
	if (errno == EPIPE)
		gl_file_signal(SIGPIPE);
	if (errno == EFBIG)
		gl_file_signal(SIGXFSZ);
}

void gl_warning_print(enum warning_kind kind, const char *what, const char *path, int error,
		      const char *remedy)
{
	struct line l = { .length = 0 };

	/* A recorded program's stderr is its own: the recorder says what is missing. */
	if ((gl_request_recorded() && kind != WARNING_SETTING) || !stderr_is_same())
		return;
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
	line_write(&l);
}

void gl_warning_reset(void)
{
	memset(printed, 0, sizeof printed);
}
