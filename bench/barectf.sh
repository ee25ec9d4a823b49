# One row: our event beside barectf's, with the counter as its clock and a buffer of 256 KiB that write() empties.

. "${src:?set by bench/run}/bench/script.sh"
need_tools barectf python3-barectf barectf
work_directory barectf

cat >"$work/config.yaml" <<'YAML'
--- !<tag:barectf.org,2020/3/config>
trace:
  type:
    $include: [stdint.yaml]
    native-byte-order: little-endian
    clock-types:
      counter:
        frequency: 1000000000
        $c-type: uint64_t
    data-stream-types:
      events:
        $is-default: true
        $default-clock-type-name: counter
        event-record-types:
          tick:
            payload-field-type:
              class: struct
              members:
                - a: sint32
                - b: sint32
YAML
cat >"$work/loop.c" <<'C'
#include "barectf.h"
#include "bench/peer.h"
#include "runtime/glimpse.h"
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static struct barectf_events_ctx stream;
static uint8_t buffer[256 * 1024];
static int file = -1;

static uint64_t now(void *data)
{
	(void)data;
	return glimpse_ticks();
}

static int full(void *data)
{
	(void)data;
	return 0;
}

static void packet_open(void *data)
{
	(void)data;
	barectf_events_open_packet(&stream);
}

static void packet_close(void *data)
{
	(void)data;
	barectf_events_close_packet(&stream);
	if (write(file, buffer, sizeof buffer) != sizeof buffer)
		exit(1);
}

static void begin(void)
{
	static const struct barectf_platform_callbacks calls = { now, full, packet_open, packet_close };
	char path[4096];

	snprintf(path, sizeof path, "%s/stream", getenv("GLIMPSE_DIR"));
	file = open(path, O_WRONLY | O_CREAT, 0600);
	barectf_init(&stream, buffer, sizeof buffer, calls, NULL);
	packet_open(NULL);
}

void peer_loop(long n)
{
	if (file < 0)
		begin();
	for (long i = 0; i < n; i++)
		barectf_events_trace_tick(&stream, (int32_t)i, (int32_t)(i * 2));
}
C
(cd "$work" && barectf generate config.yaml) >&2 &&
	${CC:-cc} -std=gnu11 -O2 -D_GNU_SOURCE -I"$src" -I"$work" -o "$work/peer" "$work/loop.c" \
		"$work/barectf.c" "$src/bench/peer.c" "$src/bench/measure.c" \
		"$src/tests/runtime/probe.c" "$build/.libs/libglimpse.a" -lpthread >&2 || exit 2
"$work/peer" barectf '<= 0.85'
