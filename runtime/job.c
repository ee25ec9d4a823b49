#include "runtime/job.h"
#include "runtime/file.h"
#include "runtime/system.h"
#include "runtime/text.h"
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static const char *const variables[] = {
	"OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK", "MV2_COMM_WORLD_RANK", "SLURM_PROCID",
};

uint32_t gl_job_rank(void)
{
	for (size_t i = 0; i < sizeof variables / sizeof *variables; i++) {
		const char *value = secure_getenv(variables[i]), *end;
		uint64_t rank;

		if (value && gl_text_size(value, &end, &rank) && !*end && rank < UINT32_MAX)
			return (uint32_t)rank + 1;
	}
	return 0;
}

uint64_t gl_job_pid_space(void)
{
	struct stat status;

	return system_stat("/proc/self/ns/pid", &status) == 0 ? status.st_ino : 0;
}

static int digit_value(char c)
{
	return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

void gl_job_boot(unsigned char *boot)
{
	char text[36];
	int fd = gl_file_open_outside("/proc/sys/kernel/random/boot_id", O_RDONLY);
	ssize_t size = fd < 0 ? -1 : system_read(fd, text, sizeof text);
	size_t digits = 0;

	if (fd >= 0)
		gl_file_close(fd);
	memset(boot, 0, 16);
	for (ssize_t i = 0; i < size && digits < 32; i++) {
		int value = digit_value(text[i]);

		if (value >= 0) {
			boot[digits / 2] = (unsigned char)(boot[digits / 2] << 4 | value);
			digits++;
		}
	}
}
