/* A confined process has the files that it was allowed, and no others; without Landlock, all. */
#include "base/confine.h"
#include "tests/tap.h"
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { VERSIONS = 6, NEEDED_FOR_CONTACTS = 6 };
enum { EXECUTE = 1, FILE_RIGHTS = 1 | 2 | 4 | 1 << 14 | 1 << 15 };

static bool rights_within(int version)
{
	bool good = true;

	for (int use = CONFINE_READ; use <= CONFINE_WRITE; use++)
		for (int directory = 0; directory < 2; directory++) {
			uint64_t rights = confine_rights(version, use, directory);

			good &= !(rights & ~confine_handled(version)) && !(rights & EXECUTE) &&
				(directory || !(rights & ~(uint64_t)FILE_RIGHTS)) && rights;
		}
	return good;
}

static void test_rights(void)
{
	bool good = true;

	for (int version = 1; version <= VERSIONS; version++)
		good &= rights_within(version) &&
			!(confine_handled(version - 1) & ~confine_handled(version));
	ok(good, "rights are those that the version knows, and that files can have");
	ok(!confine_handled(0), "without Landlock nothing is denied");
	ok(confine_handled(1) == 0x1fff && confine_handled(2) == 0x3fff &&
	       confine_handled(3) == 0x7fff && confine_handled(4) == 0x7fff &&
	       confine_handled(5) == 0xffff,
	   "what each version can deny");
	ok(!(confine_rights(VERSIONS, CONFINE_READ, true) & 2), "who reads does not write");
}

static bool can_open(const char *path, int flags)
{
	int fd = open(path, flags, 0600);

	if (fd >= 0)
		close(fd);
	return fd >= 0;
}

/* What a confined process can do, as bits. */
enum {
	READS_GIVEN = 1, READS_BELOW = 2, READS_OTHER = 4, WRITES_GIVEN = 8, WRITES_OUTPUT = 16,
	REPLACES = 32, MAKES_FOLDER = 64, EXECUTES = 128, CONFINED = 256, WRITES_OTHER = 512
};

static int confined_try(void)
{
	struct confinement c;
	int can = 0;

	confine_begin(&c, 0);
	confine_allow(&c, CONFINE_READ, "given");
	confine_allow(&c, CONFINE_READ, "nowhere");
	confine_allow_output(&c, "out/file");
	can |= confine_end(&c) ? CONFINED : 0;
	can |= can_open("given", O_RDONLY | O_DIRECTORY) ? READS_GIVEN : 0;
	can |= can_open("given/file", O_RDONLY) ? READS_BELOW : 0;
	can |= can_open("other", O_RDONLY) ? READS_OTHER : 0;
	can |= can_open("given/file", O_WRONLY) ? WRITES_GIVEN : 0;
	can |= can_open("other", O_WRONLY) ? WRITES_OTHER : 0;
	can |= can_open("out/file.new", O_RDWR | O_CREAT | O_EXCL) ? WRITES_OUTPUT : 0;
	can |= rename("out/file.new", "out/file") == 0 ? REPLACES : 0;
	can |= mkdir("out/folder", 0700) == 0 && can_open("out/folder/x", O_WRONLY | O_CREAT) &&
		       rename("out/folder", "out/moved") == 0
		   ? MAKES_FOLDER
		   : 0;
	if (fork() == 0) {
		execl("/bin/true", "true", (char *)NULL);
		_exit(1);
	} else {
		int status;

		wait(&status);
		can |= status == 0 ? EXECUTES : 0;
	}
	unlink("out/moved/x");
	rmdir("out/moved");
	unlink("out/file");
	return can;
}

/* Returns what a child can do, which is confined. */
static int child_can(void)
{
	int can = 0, pipes[2];

	if (pipe(pipes))
		abort();
	fflush(stdout);
	if (fork() == 0) {
		can = confined_try();
		_exit(write(pipes[1], &can, sizeof can) != sizeof can);
	}
	wait(NULL);
	if (read(pipes[0], &can, sizeof can) != sizeof can)
		can = -1;
	close(pipes[0]);
	close(pipes[1]);
	return can;
}

static void test_confined(void)
{
	const int all = READS_GIVEN | READS_BELOW | WRITES_OUTPUT | REPLACES | MAKES_FOLDER;
	int can = child_can();

	if (confine_version() == 0)
		printf("ok %d - a confined process # SKIP the kernel has no Landlock\n",
		       ++tap_count);
	else if (!ok(can == (all | CONFINED), "a confined process has what it was allowed"))
		printf("# it can %#x, and should %#x\n", can, all | CONFINED);
	setenv("GLIMPSE_CONFINE", "no", 1);
	can = child_can();
	ok(can == (all | READS_OTHER | WRITES_OTHER | WRITES_GIVEN | EXECUTES),
	   "one that is not confined has everything");
}

static bool can_bind(uint16_t port)
{
	struct sockaddr_in a = {.sin_family = AF_INET, .sin_port = htons(port),
				.sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	int s = socket(AF_INET, SOCK_STREAM, 0);
	bool can = bind(s, (struct sockaddr *)&a, sizeof a) == 0 || errno != EACCES;

	close(s);
	return can;
}

/* Nobody listens on port 1: what is allowed is refused there. */
static bool can_connect(void)
{
	struct sockaddr_in a = {.sin_family = AF_INET, .sin_port = htons(1),
				.sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	int s = socket(AF_INET, SOCK_STREAM, 0);
	bool can = connect(s, (struct sockaddr *)&a, sizeof a) == 0 || errno != EACCES;

	close(s);
	return can;
}

static bool can_run(const char *program)
{
	int status = 1;

	if (fork() == 0) {
		execl(program, program, (char *)NULL);
		_exit(1);
	}
	wait(&status);
	return status == 0;
}

enum { BINDS_ANY = 1, BINDS_PORT = 2, CONNECTS = 4, ASKS = 8, RUNS = 16 };

/* Returns what a child can do that may have the contacts. */
static int contacts_try(unsigned contacts)
{
	int status;

	fflush(stdout);
	if (fork() == 0) {
		struct confinement c;
		int can = 0;

		confine_begin(&c, contacts);
		if (contacts)
			confine_allow_list(&c, CONFINE_EXECUTE, "/nowhere::/usr:/bin:/lib:/lib64");
		confine_end(&c);
		can |= can_bind(0) ? BINDS_ANY : 0;
		can |= can_bind(20041) ? BINDS_PORT : 0;
		can |= can_connect() ? CONNECTS : 0;
		can |= kill(getppid(), 0) == 0 ? ASKS : 0;
		can |= can_run("/bin/true") ? RUNS : 0;
		_exit(can);
	}
	wait(&status);
	return WEXITSTATUS(status);
}

static void contacts_test(const char *name, unsigned contacts, int wanted)
{
	int can;

	if (confine_version() < NEEDED_FOR_CONTACTS) {
		printf("ok %d - %s # SKIP the kernel's Landlock is none or older\n", ++tap_count,
		       name);
		return;
	}
	can = contacts_try(contacts);
	if (!ok(can == wanted, name))
		printf("# it can %#x, and should %#x\n", can, wanted);
}

static void test_contacts(void)
{
	contacts_test("no contacts", 0, 0);
	contacts_test("a port that the system chooses, and programs", CONFINE_LISTENS,
		      BINDS_ANY | RUNS);
	contacts_test("whether a process is there", CONFINE_ASKS, ASKS | RUNS);
	contacts_test("connections", CONFINE_CONNECTS, CONNECTS | RUNS);
}

int main(void)
{
	char directory[] = "/tmp/confine.XXXXXX";

	unsetenv("GLIMPSE_CONFINE");
	if (!mkdtemp(directory) || chdir(directory) || mkdir("given", 0700) || mkdir("out", 0700) ||
	    !can_open("given/file", O_WRONLY | O_CREAT) || !can_open("other", O_WRONLY | O_CREAT))
		return 99;
	test_rights();
	test_contacts();
	test_confined();
	if (unlink("given/file") || unlink("other") || rmdir("given") || rmdir("out") ||
	    chdir("/") || rmdir(directory))
		return 99;
	return tap_end();
}
