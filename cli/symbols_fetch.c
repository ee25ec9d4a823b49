/*
 * Fetching is done by three processes, as the run may be from somebody else:
 *
 *	glimpse symbols ---- connects: asks the servers ---- reads: confined, opens the run and
 *	                     for build ids, opens nothing    prints which files it lacks
 *
 * The first one is confined afterwards, as without --fetch, and lists what there is then.
 */
#include "base/array.h"
#include "base/visible.h"
#include "cli/symbols.h"
#include "cli/symbols_modules.h"
#include "trace/symbols/modules.h"
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

/* What a run lacks is not all known before some of it is there: then it is read once more. */
enum { READINGS_MOST = 4, WANTED_MOST = 1 << 14, LINE_MOST = 512 };

typedef VECTOR(struct wanted) wanted_list;

static const char kinds[] = {[WANTED_DEBUG] = 'd', [WANTED_PROGRAM] = 'p'};

/* ---- the reading process ---- */

static void wanted_write(FILE *out, const struct run_module *m, enum wanted_kind kind,
			 const struct build_id *id)
{
	const char *slash = strrchr(m->path, '/');
	char hex[BUILD_ID_TEXT], name[sizeof((struct wanted *)0)->name];

	visible_copy(name, sizeof name, slash[1] ? slash + 1 : m->path);
	fprintf(out, "%c %s %s\n", kinds[kind], build_id_text(hex, id), name);
}

__attribute__((noreturn)) static void run_read(struct command_request *r, FILE *out)
{
	int quiet = open("/dev/null", O_WRONLY | O_CLOEXEC);
	struct run_modules m;
	struct trace *t;

	if (!out)
		_exit(EXIT_ERROR);
	/* the list, which follows, says the same */
	if (quiet >= 0)
		dup2(quiet, STDERR_FILENO);
	request_confine(r);
	t = trace_open_even_empty(r->directories, r->ndirectories, r->spec, &r->diag);
	if (!t)
		_exit(EXIT_ERROR);
	m = run_modules_of(t);
	for (size_t i = 0; i < m.list.n; i++) {
		const struct run_module *one = &m.list.at[i];

		if (!run_module_lacks(one))
			continue;
		if (one->state != IMAGE_GOOD)
			wanted_write(out, one, WANTED_PROGRAM, one->id);
		else if (!one->names.debug)
			wanted_write(out, one, WANTED_DEBUG, one->id);
		else
			wanted_write(out, one, WANTED_DEBUG, &one->names.missing);
	}
	_exit(fflush(out) == 0 ? EXIT_FINE : EXIT_ERROR);
}

/* ---- the connecting process ---- */

/* Reads a line of the other process, which may have been taken over by what it read. */
static bool wanted_read(struct wanted *w, const char *line)
{
	const char *kind = memchr(kinds, *line, sizeof kinds), *blank;

	if (!kind || line[1] != ' ' || !(blank = strchr(line + 2, ' ')) ||
	    !build_id_read(&w->id, line + 2, (size_t)(blank - line - 2)) || w->id.n < 2)
		return false;
	w->kind = (enum wanted_kind)(kind - kinds);
	visible_copy(w->name, sizeof w->name, blank + 1);
	return true;
}

static bool wanted_has(const wanted_list *l, const struct wanted *w)
{
	for (size_t i = 0; i < l->n; i++)
		if (l->at[i].kind == w->kind && build_ids_equal(&l->at[i].id, &w->id))
			return true;
	return false;
}

/* Adds what the list does not have yet. */
static void wanted_take(wanted_list *l, FILE *in)
{
	char line[LINE_MOST];
	struct wanted w;

	while (l->n < WANTED_MOST && fgets(line, sizeof line, in)) {
		line[strcspn(line, "\n")] = 0;
		if (wanted_read(&w, line) && !wanted_has(l, &w))
			*vector_add(l) = w;
	}
}

/* Has another process read the run; returns false if that did not work. */
static bool wanted_find(struct command_request *r, wanted_list *l)
{
	int ends[2], status = -1;
	pid_t child;
	FILE *in;

	if (pipe2(ends, O_CLOEXEC) != 0)
		return false;
	child = fork();
	if (child == 0) {
		signal(SIGINT, SIG_DFL);
		signal(SIGTERM, SIG_DFL);
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		close(ends[0]);
		run_read(r, fdopen(ends[1], "w"));
	}
	close(ends[1]);
	in = fdopen(ends[0], "r");
	if (child > 0 && in)
		wanted_take(l, in);
	if (in)
		fclose(in);
	return child > 0 && waitpid(child, &status, 0) == child && status == 0;
}

static int all_fetch(struct command_request *r)
{
	int status = EXIT_FINE, one = EXIT_FINE;
	wanted_list l = {0};
	size_t asked = 0;

	if (!server_open(&r->diag))
		return EXIT_ERROR;
	for (unsigned i = 0; i < READINGS_MOST && !server_stopped(); i++) {
		if (!wanted_find(r, &l))
			return SYMBOLS_UNREAD;
		if (asked == l.n)
			break;
		for (; asked < l.n && one != EXIT_ERROR && !server_stopped(); asked++) {
			one = server_fetch(&l.at[asked], asked + 1, l.n, &r->diag);
			status = one > status ? one : status;
		}
		if (one == EXIT_ERROR)
			break;
	}
	free(l.at);
	return status;
}

static void on_stop(int number)
{
	(void)number;
	server_stop();
}

/* A file that is half there is removed by the library, which notices at its next step. */
__attribute__((noreturn)) static void connecting_run(struct command_request *r)
{
	int status;

	if (signal(SIGINT, on_stop) == SIG_IGN)
		signal(SIGINT, SIG_IGN);
	signal(SIGTERM, on_stop);
	prctl(PR_SET_PDEATHSIG, SIGTERM);
	status = all_fetch(r);
	if (server_stopped()) {
		signal(SIGINT, SIG_DFL);
		raise(SIGINT);
	}
	_exit(status);
}

/* ---- the first process ---- */

int symbols_fetch(struct command_request *r)
{
	void (*before)(int);
	int status = 0;
	pid_t child = fork();

	if (child < 0) {
		diag_error(&r->diag, DIAG_NOWHERE, "--fetch: cannot start another process");
		return EXIT_ERROR;
	}
	if (child == 0)
		connecting_run(r);
	before = signal(SIGINT, SIG_IGN);
	waitpid(child, &status, 0);
	signal(SIGINT, before);
	if (WIFSIGNALED(status)) {
		signal(WTERMSIG(status), SIG_DFL);
		raise(WTERMSIG(status));
	}
	return WIFEXITED(status) ? WEXITSTATUS(status) : EXIT_ERROR;
}
