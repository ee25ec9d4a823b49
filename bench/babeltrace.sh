# One row: reading and merging logs of 16 threads beside babeltrace2, which reads the same events as CTF into its
# cheapest sink. The CTF is written by barectf's tracer, a stream for each thread, from the merged logs.

. "${src:?set by bench/run}/bench/script.sh"
need_tools babeltrace2 "babeltrace2 python3-barectf" babeltrace2 barectf
events=4000000 threads=16
work_directory babeltrace
mkdir "$work/ctf" || exit 2

cat >"$work/config.yaml" <<'YAML'
--- !<tag:barectf.org,2020/3/config>
trace:
  type:
    $include: [stdint.yaml]
    native-byte-order: little-endian
    uuid: auto
    clock-types:
      time:
        frequency: 1000000000
        $c-type: uint64_t
    data-stream-types:
      thread:
        $is-default: true
        $default-clock-type-name: time
        event-record-types:
          Send: &message
            payload-field-type:
              class: struct
              members:
                - from: sint32
                - seq: sint32
          Recv: *message
YAML
cat >"$work/write.c" <<'C'
#include "barectf.h"
#include "spec/layout.h"
#include "trace/trace.h"
#include <stdio.h>
#include <string.h>

#define PACKET (256 * 1024)

struct stream {
	struct barectf_thread_ctx context;
	uint8_t buffer[PACKET];
	FILE *file;
};

static struct stream streams[64];
static int64_t time;

static uint64_t now(void *data)
{
	(void)data;
	return (uint64_t)time;
}

static int is_full(void *data)
{
	(void)data;
	return 0;
}

static void packet_open(void *data)
{
	barectf_thread_open_packet(&((struct stream *)data)->context);
}

static void packet_close(void *data)
{
	struct stream *s = data;

	barectf_thread_close_packet(&s->context);
	fwrite(s->buffer, PACKET, 1, s->file);
}

static struct stream *stream_of(const char *directory, uint32_t thread)
{
	static const struct barectf_platform_callbacks calls = { now, is_full, packet_open, packet_close };
	struct stream *s = &streams[thread];
	char path[4096];

	if (s->file)
		return s;
	snprintf(path, sizeof path, "%s/thread.%u", directory, thread);
	s->file = fopen(path, "w");
	barectf_init(&s->context, s->buffer, PACKET, calls, s);
	packet_open(s);
	return s;
}

static void event_write(const char *directory, const struct event *e)
{
	struct stream *s = stream_of(directory, e->thread);
	int32_t from = (int32_t)record_value(e->type, 0, e->record).integer;
	int32_t seq = (int32_t)record_value(e->type, 1, e->record).integer;

	time = e->time;
	if (strcmp(e->type->name, "Send") == 0)
		barectf_thread_trace_Send(&s->context, from, seq);
	else
		barectf_thread_trace_Recv(&s->context, from, seq);
}

int main(int argc, char **argv)
{
	struct diag diag = { .out = stderr, .program = "write" };
	const char *directory = argv[1];
	struct trace *t = argc == 3 ? trace_open(&directory, 1, NULL, &diag) : NULL;
	struct merge *m = t ? merge_open(t) : NULL;
	struct event e;

	if (!m)
		return 2;
	while (merge_next(m, &e))
		event_write(argv[2], &e);
	for (unsigned i = 0; i < 64; i++)
		if (streams[i].file) {
			packet_close(&streams[i]);
			fclose(streams[i].file);
		}
	return 0;
}
C
(cd "$work" && barectf generate config.yaml) >&2 &&
	${CC:-cc} -std=gnu11 -O2 -D_GNU_SOURCE -I"$src" -I"$build" -I"$work" -o "$work/write" "$work/write.c" \
		"$work/barectf.c" "$build/libtrace.a" "$build/libspec.a" "$build/libgrammar.a" "$build/libbase.a" -lz -lm -lpthread >&2 &&
	"$build/bench/merge" $events $threads "$work/logs" &&
	mv "$work/metadata" "$work/ctf/" && "$work/write" "$work/logs" "$work/ctf" || exit 2

# seconds COMMAND...: wall time, the best of five.
seconds() {
	for _ in 1 2 3 4 5; do
		began=$(date +%s%N)
		"$@" >/dev/null || exit 2
		echo "$began $(date +%s%N)"
	done | awk '{ took = ($2 - $1) / 1e9; best = NR == 1 || took < best ? took : best } END { print best }'
}

ours=$(seconds "$build/bench/drain" "$work/logs") || exit 2
theirs=$(seconds babeltrace2 "$work/ctf" -o dummy) || exit 2
awk -v ours="$ours" -v theirs="$theirs" -v n="$events" 'BEGIN {
	printf "read and merge / the same events through babeltrace2\t%.3f\t<=0.05\t%.3f and %.3f us an event, %d of them\n",
		ours / theirs, 1e6 * ours / n, 1e6 * theirs / n, n
}'
