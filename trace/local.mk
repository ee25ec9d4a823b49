# trace: reads logs.

noinst_LIBRARIES += libtrace.a
libtrace_a_CFLAGS = $(AM_CFLAGS) $(ZLIB_CFLAGS) $(LIBDW_CFLAGS) $(LZMA_CFLAGS)
libtrace_a_CPPFLAGS = $(AM_CPPFLAGS) -DHAVE_LIBDW
libtrace_a_SOURCES = \
	trace/address.c trace/label.c trace/plain_name.c trace/trace.c \
	trace/format/clock.c trace/format/log_name.c trace/format/process_info.c \
	trace/format/record.c trace/format/schema.c trace/format/steady.c \
	trace/log/container.c trace/log/graze.c trace/log/growing_log.c trace/log/log.c \
	trace/log/order.c trace/log/position.c trace/log/scan.c trace/log/scan_parallel.c \
	trace/log/tail.c \
	trace/open/confine_trace.c trace/open/describe.c trace/open/directory.c trace/open/foreign.c trace/open/grow.c \
	trace/open/load.c trace/open/name_clash.c trace/open/open.c trace/open/opened.c trace/open/own_names.c \
	trace/open/missing.c trace/open/process_state.c trace/open/recorded_command.c trace/open/recorder_join.c trace/open/refused.c trace/open/respecify.c trace/open/runs.c trace/open/specs.c \
	trace/open/subdirectories.c trace/open/tails_directory.c \
	trace/pack/block.c trace/pack/buffer.c trace/pack/column.c trace/pack/pack.c \
	trace/pack/pack_index.c trace/pack/records.c \
	trace/stream/event_list.c trace/stream/merge.c trace/stream/merge_runs.c \
	trace/stream/losses.c trace/stream/pass.c trace/stream/records_lost.c trace/stream/section.c trace/stream/unseen.c \
	trace/symbols/address_text.c trace/symbols/build_id.c trace/symbols/callables.c \
	trace/symbols/call_paths.c trace/symbols/code_frames.c trace/symbols/code_text.c \
	trace/symbols/confine_symbols.c trace/symbols/debug_data.c trace/symbols/debug_files.c \
	trace/symbols/debug_link.c trace/symbols/demangle.c trace/symbols/elf_look.c \
	trace/symbols/elf_read.c trace/symbols/image.c trace/symbols/image_tables.c \
	trace/symbols/inlined.c trace/symbols/inlined_units.c trace/symbols/line_tokens.c \
	trace/symbols/made_code.c trace/symbols/members.c trace/symbols/modules.c \
	trace/symbols/object_names.c trace/symbols/objects.c trace/symbols/source_path.c \
	trace/symbols/start_names.c trace/symbols/store_names.c trace/symbols/stored_names.c \
	trace/symbols/spin_code.c trace/symbols/symbol_tables.c trace/symbols/symbols.c \
	trace/symbols/unwind_table.c trace/symbols/event_stacks.c trace/symbols/stack_sites.c trace/symbols/wait_objects.c \
	trace/symbols/wait_sites.c \
	trace/write/log_write.c trace/write/pack_write.c trace/write/process_write.c \
	trace/write/snapshot.c trace/write/spec_write.c trace/write/unpack.c
