#include "cli/symbols.h"
#include "config.h"
#include <signal.h>

#ifdef HAVE_LIBDEBUGINFOD
#include "base/array.h"
#include "base/units.h"
#include "trace/symbols/debug_files.h"
#include <dlfcn.h>
#include <elfutils/debuginfod.h>
#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>
#endif

static volatile sig_atomic_t stopped;

void server_stop(void)
{
	stopped = 1;
}

bool server_stopped(void)
{
	return stopped;
}

#ifdef HAVE_LIBDEBUGINFOD
/* Loaded by whom connects alone: the library brings a client of HTTP and all of its libraries. */
static struct {
	__typeof__(debuginfod_begin) *begin;
	__typeof__(debuginfod_find_debuginfo) *find_debug, *find_program;
	__typeof__(debuginfod_set_progressfn) *set_progress;
	/* of the client of HTTP that the library loads; NULL: it was not found */
	int (*transfer_add)(void *transfers, void *transfer);
	int (*transfer_set)(void *transfer, int option, ...);
	debuginfod_client *client;
	bool answered; /* by any server, to any question */
} server;

/* Called now and then while a file is fetched. */
static int server_step(debuginfod_client *client, long done, long total)
{
	(void)client, (void)done, (void)total;
	return stopped;
}

/* More than a mirror needs. A server that sends us round and round would never end. */
enum { REDIRECTS_MOST = 5, CURLOPT_MAXREDIRS = 68 };

/*
 * libdebuginfod has no option for the number of redirects, and libcurl may follow them without end.
 * So the program exports the function by which the one library gives its transfers to the other.
 */
__attribute__((visibility("default"))) int curl_multi_add_handle(void *transfers, void *transfer);

int curl_multi_add_handle(void *transfers, void *transfer)
{
	server.transfer_set(transfer, CURLOPT_MAXREDIRS, (long)REDIRECTS_MOST);
	return server.transfer_add(transfers, transfer);
}

static const char *server_urls(void)
{
	const char *urls = getenv(DEBUGINFOD_URLS_ENV_VAR);

	return urls && urls[strspn(urls, " ")] ? urls : NULL;
}

/* Finds what is called in the library; returns false if it is not installed, or too old. */
static bool library_load(void)
{
	void *library = dlopen(DEBUGINFOD_SONAME, RTLD_NOW);

	if (!library)
		return false;
	server.begin = (__typeof__(server.begin))dlsym(library, "debuginfod_begin");
	server.find_debug =
	    (__typeof__(server.find_debug))dlsym(library, "debuginfod_find_debuginfo");
	server.find_program =
	    (__typeof__(server.find_program))dlsym(library, "debuginfod_find_executable");
	server.set_progress =
	    (__typeof__(server.set_progress))dlsym(library, "debuginfod_set_progressfn");
	/* looked for in the library, which loads them: not the one above */
	server.transfer_add =
	    (__typeof__(server.transfer_add))dlsym(library, "curl_multi_add_handle");
	server.transfer_set = (__typeof__(server.transfer_set))dlsym(library, "curl_easy_setopt");
	return server.begin && server.find_debug && server.find_program && server.set_progress &&
	       server.transfer_add && server.transfer_set;
}

bool server_open(struct diag *diag)
{
	if (!server_urls()) {
		diag_error(
		    diag, DIAG_NOWHERE,
		    "--fetch: DEBUGINFOD_URLS is not set, so there is no server to ask; set it, for "
		    "example to https://debuginfod.elfutils.org");
		return false;
	}
	if (!library_load()) {
		diag_error(diag, DIAG_NOWHERE,
			   "--fetch: cannot load %s; install it (apt install libdebuginfod1)",
			   DEBUGINFOD_SONAME);
		return false;
	}
	server.client = server.begin();
	if (server.client)
		server.set_progress(server.client, server_step);
	else
		diag_error(diag, DIAG_NOWHERE, "--fetch: %s cannot start a session",
			   DEBUGINFOD_SONAME);
	return server.client;
}

/* What was stopped the library notes as a file that no server has, for ten minutes. */
static void note_remove(const struct wanted *w)
{
	char hex[BUILD_ID_TEXT],
	    *folder = debuginfod_folder(),
	    *path = text_format("%s/%s/%s", folder, build_id_text(hex, &w->id),
				w->kind == WANTED_DEBUG ? "debuginfo" : "executable");
	struct stat status;

	if (lstat(path, &status) == 0 && S_ISREG(status.st_mode) && status.st_size == 0)
		unlink(path);
	free(path);
	free(folder);
}

/* Ends the line about a file that did not come. */
static int failure_print(const struct wanted *w, int error, struct diag *diag)
{
	if (stopped) {
		fputs("stopped\n", diag->out);
		note_remove(w);
		return EXIT_ERROR;
	}
	if (error == ENOENT || error == EFBIG || error == EMLINK ||
	    (error == ETIME && server.answered)) {
		diag->errors++;
		fputs(error == ENOENT   ? "error: no server has it\n"
		      : error == EFBIG  ? "error: larger than DEBUGINFOD_MAXSIZE\n"
		      : error == EMLINK ? "error: the server redirects more than five times\n"
					: "error: timeout (DEBUGINFOD_TIMEOUT)\n",
		      diag->out);
		server.answered |= error != ETIME;
		return EXIT_NO;
	}
	fputs("error\n", diag->out);
	diag_error(diag, DIAG_NOWHERE, "cannot fetch from the servers of DEBUGINFOD_URLS (%s): %s",
		   server_urls(), strerror(error));
	return EXIT_ERROR;
}

int server_fetch(const struct wanted *w, size_t number, size_t total, struct diag *diag)
{
	__typeof__(server.find_debug) find =
	    w->kind == WANTED_DEBUG ? server.find_debug : server.find_program;
	char hex[BUILD_ID_TEXT], size[UNITS_TEXT];
	struct stat status;
	int fd;

	fprintf(diag->out, "[%zu/%zu] %s of %s (%s): ", number, total,
		w->kind == WANTED_DEBUG ? "debug information" : "file", w->name,
		build_id_text(hex, &w->id));
	fflush(diag->out);
	fd = find(server.client, w->id.bytes, (int)w->id.n, NULL);
	if (fd < 0)
		return failure_print(w, -fd, diag);
	server.answered = true;
	fprintf(diag->out, "%s\n",
		fstat(fd, &status) == 0 ? units_bytes(size, (uint64_t)status.st_size) : "fetched");
	close(fd);
	return EXIT_FINE;
}
#else
bool server_open(struct diag *diag)
{
	diag_error(diag, DIAG_NOWHERE,
		   "--fetch: this glimpse was built without libdebuginfod; install "
		   "libdebuginfod-dev and build it again");
	return false;
}

int server_fetch(const struct wanted *w, size_t number, size_t total, struct diag *diag)
{
	(void)w, (void)number, (void)total, (void)diag;
	return EXIT_ERROR;
}
#endif
