#include "base/confine.h"
#include "base/array.h"
#include "base/path.h"
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

/* As linux/landlock.h has them; that of an older system lacks the newer ones. */
#ifndef SYS_landlock_create_ruleset
#define SYS_landlock_create_ruleset 444
#define SYS_landlock_add_rule 445
#define SYS_landlock_restrict_self 446
#endif

#define GET_VERSION 1u
#define PATH_BENEATH 1
#define NET_PORT 2
#define NEWEST 6 /* that this file knows */

enum {
	FS_EXECUTE = 1 << 0,
	FS_WRITE_FILE = 1 << 1,
	FS_READ_FILE = 1 << 2,
	FS_READ_DIR = 1 << 3,
	FS_REMOVE_DIR = 1 << 4,
	FS_REMOVE_FILE = 1 << 5,
	FS_MAKE_DIR = 1 << 7,
	FS_MAKE_REG = 1 << 8,
	FS_VERSION_1 = (1 << 13) - 1,
	FS_REFER = 1 << 13,     /* version 2 */
	FS_TRUNCATE = 1 << 14,  /* version 3 */
	FS_IOCTL_DEV = 1 << 15, /* version 5 */
	FS_OF_FILES = FS_EXECUTE | FS_WRITE_FILE | FS_READ_FILE | FS_TRUNCATE | FS_IOCTL_DEV,
};

enum { NET_BIND_TCP = 1, NET_CONNECT_TCP = 2, SCOPE_SOCKETS = 1, SCOPE_SIGNALS = 2 };

struct ruleset {
	uint64_t fs;
	uint64_t net;    /* version 4: to bind and to connect TCP */
	uint64_t scoped; /* version 6: abstract sockets and signals of others */
};

struct path_beneath {
	uint64_t allowed;
	int32_t parent;
} __attribute__((packed));

struct net_port {
	uint64_t allowed;
	uint64_t port; /* 0: one that the system chooses */
};

int confine_version(void)
{
	const char *wanted = getenv("GLIMPSE_CONFINE");
	long version;

	if (wanted && strcmp(wanted, "no") == 0)
		return 0;
	version = syscall(SYS_landlock_create_ruleset, NULL, (size_t)0, GET_VERSION);
	return version < 0 ? 0 : version > NEWEST ? NEWEST : (int)version;
}

uint64_t confine_handled(int version)
{
	return version < 1
		   ? 0
		   : FS_VERSION_1 | (version >= 2 ? FS_REFER : 0) |
			 (version >= 3 ? FS_TRUNCATE : 0) | (version >= 5 ? FS_IOCTL_DEV : 0);
}

uint64_t confine_rights(int version, enum confine_use use, bool directory)
{
	uint64_t rights = FS_READ_FILE | FS_READ_DIR;

	if (use == CONFINE_EXECUTE)
		rights |= FS_EXECUTE;
	if (use == CONFINE_WRITE)
		rights |= FS_WRITE_FILE | FS_TRUNCATE | FS_MAKE_REG | FS_MAKE_DIR | FS_REMOVE_FILE |
			  FS_REMOVE_DIR | FS_REFER;
	return rights & confine_handled(version) & (directory ? UINT64_MAX : FS_OF_FILES);
}

void confine_begin(struct confinement *c, unsigned contacts)
{
	const struct net_port any = {.allowed = NET_BIND_TCP};
	struct ruleset rules;
	size_t size;

	*c = (struct confinement){.version = confine_version(), .ruleset = -1};
	if (!c->version)
		return;
	rules = (struct ruleset){.fs = confine_handled(c->version),
				 .net = NET_BIND_TCP | NET_CONNECT_TCP,
				 .scoped = SCOPE_SOCKETS | SCOPE_SIGNALS};
	if (contacts & CONFINE_ASKS)
		rules.scoped &= ~(uint64_t)SCOPE_SIGNALS;
	if (contacts & CONFINE_CONNECTS) {
		rules.net &= ~(uint64_t)NET_CONNECT_TCP;
		rules.scoped &= ~(uint64_t)SCOPE_SOCKETS;
	}
	size = c->version >= 6 ? sizeof rules : c->version >= 4 ? 16 : 8;
	c->ruleset = (int)syscall(SYS_landlock_create_ruleset, &rules, size, 0u);
	if (c->ruleset >= 0 && c->version >= 4 && (contacts & CONFINE_LISTENS))
		syscall(SYS_landlock_add_rule, c->ruleset, NET_PORT, &any, 0u);
}

void confine_allow(struct confinement *c, enum confine_use use, const char *path)
{
	struct path_beneath rule = {.parent = -1};
	struct stat status;

	if (c->ruleset >= 0)
		rule.parent = open(path, O_PATH | O_CLOEXEC);
	if (rule.parent < 0)
		return;
	rule.allowed = fstat(rule.parent, &status) == 0
			   ? confine_rights(c->version, use, S_ISDIR(status.st_mode))
			   : 0;
	syscall(SYS_landlock_add_rule, c->ruleset, PATH_BENEATH, &rule, 0u);
	close(rule.parent);
}

void confine_allow_list(struct confinement *c, enum confine_use use, const char *paths)
{
	char *list = text_format("%s", paths ? paths : ""), *rest = list, *path;

	while ((path = strsep(&rest, ":")))
		if (*path)
			confine_allow(c, use, path);
	free(list);
}

void confine_allow_output(struct confinement *c, const char *path)
{
	size_t length = path_length(path);
	char *folder;

	while (length > 0 && path[length - 1] != '/')
		length--;
	folder = text_format("%.*s", (int)length, path);
	confine_allow(c, CONFINE_WRITE, length ? folder : ".");
	confine_allow(c, CONFINE_WRITE, path);
	free(folder);
}

bool confine_end(struct confinement *c)
{
	bool confined = c->ruleset >= 0 && prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
			syscall(SYS_landlock_restrict_self, c->ruleset, 0u) == 0;

	if (c->ruleset >= 0)
		close(c->ruleset);
	c->ruleset = -1;
	return confined;
}
