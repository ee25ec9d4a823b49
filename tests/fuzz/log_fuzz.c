/*
 * Log directories from nowhere: whatever the bytes, the reader must answer, in order, with records
 * that are whole.
 *
 * Input: a byte whose lowest bit says whether a specification is given with -s; then the files, as
 * files.h has them.
 */
#include "tests/fuzz/files.h"
#include "tests/fuzz/stream.h"

#define MESSAGES "glimpse messages\nevent Send(int to, int seq);\nevent Recv(int seq);\nend\n"

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size);

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size)
{
	static const char *directory;
	struct diag quiet = {.program = "log_fuzz"};
	struct trace *t;
	char spec[96];

	if (!directory)
		directory = files_directory(MESSAGES);
	if (size == 0)
		return 0;
	files_write(data + 1, size - 1);
	snprintf(spec, sizeof spec, "%s/messages.spec", directory);
	t = trace_open(&directory, 1, data[0] & 1 ? spec : NULL, &quiet);
	if (!t)
		return 0;
	stream_check(t);
	lists_check(t);
	trace_close(t);
	return 0;
}
