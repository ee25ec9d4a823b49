#include "recorder/late_close.h"
#include "recorder/streams.h"
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <unistd.h>

/* Waits until the recorder has closed its own; then those of this process are the last ones. */
__attribute__((noreturn)) static void hold(const int ends[2])
{
	char word;

	streams_outlive();
	close(ends[1]);
	while (read(ends[0], &word, 1) < 0 && errno == EINTR)
		continue;
	_exit(0);
}

void late_close(const int *fds, size_t n)
{
	int ends[2];
	bool piped = n && pipe2(ends, O_CLOEXEC) == 0;

	if (piped && fork() == 0)
		hold(ends);
	for (size_t i = 0; i < n; i++)
		close(fds[i]);
	if (!piped)
		return;
	close(ends[0]);
	close(ends[1]);
}
