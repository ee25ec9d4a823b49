#include "recorder/processes.h"
#include "base/array.h"
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <linux/futex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#define TEXT 4096

static pid_t *pid_add(pid_t *list, size_t n, unsigned long pid)
{
	list = array_grow(list, n, sizeof *list);
	list[n] = (pid_t)pid;
	return list;
}

/* Lists the files of a directory whose names are numbers. */
static size_t numbers_list(const char *path, pid_t **list)
{
	struct dirent *entry;
	size_t n = 0;
	DIR *dir = opendir(path);

	*list = NULL;
	while (dir && (entry = readdir(dir)))
		if (isdigit((unsigned char)entry->d_name[0])) {
			*list = pid_add(*list, n, strtoul(entry->d_name, NULL, 10));
			n++;
		}
	if (dir)
		closedir(dir);
	return n;
}

size_t processes_all(pid_t **pids)
{
	return numbers_list("/proc", pids);
}

size_t process_threads(pid_t pid, pid_t **tids)
{
	char path[64];

	snprintf(path, sizeof path, "/proc/%d/task", (int)pid);
	return numbers_list(path, tids);
}

int proc_file_open(pid_t pid, pid_t tid, const char *file)
{
	char path[96];

	if (tid)
		snprintf(path, sizeof path, "/proc/%d/task/%d/%s", (int)pid, (int)tid, file);
	else
		snprintf(path, sizeof path, "/proc/%d/%s", (int)pid, file);
	return open(path, O_RDONLY | O_CLOEXEC);
}

/* Numbers of descriptors are the lowest that are free: one says how many there are. */
static bool is_of_last_half(int fd)
{
	struct rlimit limit;

	return getrlimit(RLIMIT_NOFILE, &limit) == 0 && (rlim_t)fd >= limit.rlim_cur / 2;
}

struct proc_file proc_file_keep(pid_t pid, pid_t tid, const char *name)
{
	struct proc_file f = {pid, tid, name, proc_file_open(pid, tid, name)};

	if (f.fd < 0 && errno != EMFILE)
		f.name = NULL;
	if (f.fd >= 0 && is_of_last_half(f.fd))
		proc_file_close(&f);
	return f;
}

int proc_file_get(const struct proc_file *f)
{
	return f->fd >= 0 || !f->name ? f->fd : proc_file_open(f->pid, f->tid, f->name);
}

void proc_file_release(const struct proc_file *f, int fd)
{
	if (fd >= 0 && fd != f->fd)
		close(fd);
}

void proc_file_close(struct proc_file *f)
{
	if (f->fd >= 0)
		close(f->fd);
	f->fd = -1;
}

/* Reads a file of /proc from its beginning as a text. */
static const char *text_read(int fd, char text[TEXT])
{
	ssize_t n = pread(fd, text, TEXT - 1, 0);

	text[n > 0 ? n : 0] = '\0';
	return text;
}

size_t process_children(pid_t pid, pid_t **pids)
{
	pid_t *tids;
	size_t n = 0, threads = process_threads(pid, &tids);

	*pids = NULL;
	for (size_t i = 0; i < threads; i++) {
		int fd = proc_file_open(pid, tids[i], "children");
		char text[TEXT], *end;
		const char *at = fd < 0 ? "" : text_read(fd, text);
		unsigned long child;

		for (; (child = strtoul(at, &end, 10)), end != at; at = end) {
			*pids = pid_add(*pids, n, child);
			n++;
		}
		if (fd >= 0)
			close(fd);
	}
	free(tids);
	return n;
}

bool thread_is_there(pid_t pid, pid_t tid)
{
	return syscall(SYS_tgkill, pid, tid, 0) == 0 || errno == EPERM;
}

void thread_name_update(int fd, char name[THREAD_NAME])
{
	char text[TEXT];
	size_t length = strcspn(text_read(fd, text), "\n");

	if (!length)
		return;
	if (length >= THREAD_NAME)
		length = THREAD_NAME - 1;
	memcpy(name, text, length);
	name[length] = '\0';
}

void thread_name_read(pid_t pid, pid_t tid, char name[THREAD_NAME])
{
	int fd = proc_file_open(pid, tid, "comm");

	*name = '\0';
	if (fd < 0)
		return;
	thread_name_update(fd, name);
	close(fd);
}

char thread_state(pid_t pid, pid_t tid)
{
	int fd = proc_file_open(pid, tid, "stat");
	char text[TEXT], state = '\0';
	const char *close_bracket;

	if (fd < 0)
		return state;
	close_bracket = strrchr(text_read(fd, text), ')');
	if (close_bracket && close_bracket[1])
		state = close_bracket[2];
	close(fd);
	return state;
}

uint32_t thread_number_inside(pid_t pid, pid_t tid)
{
	int fd = proc_file_open(pid, tid, "status");
	char text[TEXT], *line;
	uint32_t number = 0;

	if (fd < 0)
		return 0;
	text_read(fd, text);
	close(fd);
	/* outermost first */
	line = strstr(text, "\nNSpid:");
	if (line) {
		line[1 + strcspn(line + 1, "\n")] = '\0';
		number = (uint32_t)strtoul(strrchr(line, '\t') + 1, NULL, 10);
	}
	return number;
}

/* Whether a mapping of a process that has the address is shared; true if that is not known. */
static bool is_shared_memory(pid_t pid, unsigned long long address)
{
	int fd = proc_file_open(pid, 0, "maps");
	FILE *maps = fd < 0 ? NULL : fdopen(fd, "r");
	unsigned long long from, to;
	char *line = NULL, flags[5];
	bool shared = true, found = false;
	size_t room = 0;

	while (!found && maps && getline(&line, &room, maps) > 0) {
		found = sscanf(line, "%llx-%llx %4s", &from, &to, flags) == 3 && address >= from &&
			address < to;
		if (found)
			shared = flags[3] == 's';
	}
	if (maps)
		fclose(maps);
	free(line);
	return shared;
}

/* A file "syscall" has the number of the call and its arguments; or that the thread runs. */
bool thread_waits_on_futex(pid_t pid, pid_t tid)
{
	int fd = proc_file_open(pid, tid, "syscall"), operation;
	unsigned long long number, address, how, limit;
	char text[TEXT];
	bool read;

	if (fd < 0)
		return false;
	read = sscanf(text_read(fd, text), "%llu %llx %llx %*x %llx", &number, &address, &how,
		      &limit) == 4;
	close(fd);
	if (!read || number != SYS_futex || limit)
		return false;
	operation = (int)how & FUTEX_CMD_MASK;
	return (operation == FUTEX_WAIT || operation == FUTEX_WAIT_BITSET ||
		operation == FUTEX_LOCK_PI || operation == FUTEX_WAIT_REQUEUE_PI) &&
	       (how & FUTEX_PRIVATE_FLAG || !is_shared_memory(pid, address));
}

/*
 * Reads what the thread waits for; its state is read before and after that, since another wait may
 * have begun. The file "syscall" has the number of the call, or -1 of a page fault, and last the
 * program counter.
 */
bool thread_waits_in_kernel(pid_t pid, pid_t tid, struct kernel_place *place)
{
	char text[TEXT], *last;
	int fd;
	bool read;

	if (thread_state(pid, tid) != 'D' || (fd = proc_file_open(pid, tid, "wchan")) < 0)
		return false;
	snprintf(place->function, sizeof place->function, "%s", text_read(fd, text));
	close(fd);
	if (!*place->function || strcmp(place->function, "0") == 0 ||
	    (fd = proc_file_open(pid, tid, "syscall")) < 0)
		return false;
	text_read(fd, text);
	close(fd);
	last = strrchr(text, ' ');
	read = last && sscanf(text, "%ld", &place->call) == 1 &&
	       sscanf(last, " %" SCNx64, &place->code) == 1;
	return read && thread_state(pid, tid) == 'D';
}

static const char *word_skip(const char *at)
{
	const char *close;

	at += strspn(at, " \n");
	if (*at == '(' && (close = strrchr(at, ')')))
		return close + 1;
	return at + strcspn(at, " \n");
}

unsigned process_numbers(int fd, unsigned skip, uint64_t *numbers, unsigned n)
{
	char text[TEXT], *end;
	const char *at = text_read(fd, text);
	unsigned found = 0;

	while (skip-- && *at)
		at = word_skip(at);
	for (; found < n; found++, at = end) {
		numbers[found] = strtoull(at, &end, 10);
		if (end == at)
			break;
	}
	return found;
}

static uint64_t number_after(const char *text, const char *name)
{
	const char *at = strstr(text, name);

	return at ? strtoull(at + strlen(name), NULL, 10) : 0;
}

uint64_t process_number_of(int fd, const char *name)
{
	char text[TEXT];

	return number_after(text_read(fd, text), name);
}

bool thread_status_read(int fd, struct thread_status *s)
{
	char text[TEXT];
	size_t length;

	if (strncmp(text_read(fd, text), "Name:\t", 6) != 0)
		return false;
	length = strcspn(text + 6, "\n");
	*s = (struct thread_status){
	    .voluntary = number_after(text, "\nvoluntary_ctxt_switches:"),
	    .involuntary = number_after(text, "\nnonvoluntary_ctxt_switches:"),
	};
	memcpy(s->name, text + 6, length < THREAD_NAME ? length : THREAD_NAME - 1);
	return true;
}
