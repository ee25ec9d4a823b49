# viewers/gorge: draws time-space diagrams.

noinst_LIBRARIES += libgorge.a
libgorge_a_SOURCES = \
	viewers/gorge/answers/answers.c viewers/gorge/answers/flames.c \
	viewers/gorge/answers/outline.c viewers/gorge/answers/path.c viewers/gorge/answers/questions.c \
	viewers/gorge/answers/request.c viewers/gorge/answers/routes.c \
	viewers/gorge/answers/session.c viewers/gorge/answers/shares.c \
	viewers/gorge/build/build.c viewers/gorge/build/build_bars.c \
	viewers/gorge/build/build_index.c viewers/gorge/build/build_links.c \
	viewers/gorge/build/build_marks.c viewers/gorge/build/build_names.c \
	viewers/gorge/build/build_objects.c viewers/gorge/build/build_path.c \
	viewers/gorge/build/build_picked.c viewers/gorge/build/build_reasons.c \
	viewers/gorge/build/build_stacks.c \
	viewers/gorge/build/choice.c viewers/gorge/build/folds.c \
	viewers/gorge/build/groups.c viewers/gorge/build/lane_sharing.c \
	viewers/gorge/build/lanes.c viewers/gorge/build/object_lanes.c \
	viewers/gorge/build/words.c \
	viewers/gorge/document/analyses.c viewers/gorge/document/html.c viewers/gorge/document/payload.c \
	viewers/gorge/document/slice.c \
	viewers/gorge/draw/compose.c viewers/gorge/draw/draw_bars.c \
	viewers/gorge/draw/draw_lanes.c viewers/gorge/draw/draw_legend.c \
	viewers/gorge/draw/draw_links.c viewers/gorge/draw/draw_marks.c \
	viewers/gorge/draw/draw_merges.c viewers/gorge/draw/draw_objects.c \
	viewers/gorge/draw/draw_path.c viewers/gorge/draw/draw_remarks.c viewers/gorge/draw/draw_shares.c \
	viewers/gorge/draw/draw_stacks.c viewers/gorge/draw/legend_line.c \
	viewers/gorge/draw/draw_tracks.c \
	viewers/gorge/draw/drawing.c viewers/gorge/draw/flame_graph.c \
	viewers/gorge/draw/layout.c viewers/gorge/draw/picture.c \
	viewers/gorge/index/band.c viewers/gorge/index/event_index.c \
	viewers/gorge/index/event_set.c viewers/gorge/index/event_walk.c \
	viewers/gorge/index/generation.c viewers/gorge/index/instance_find.c \
	viewers/gorge/index/instances.c viewers/gorge/index/layer.c \
	viewers/gorge/index/logical.c viewers/gorge/index/reasons.c \
	viewers/gorge/index/object_index.c viewers/gorge/index/span_binding.c \
	viewers/gorge/index/spans.c viewers/gorge/index/stack_times.c viewers/gorge/index/stacking.c \
	viewers/gorge/index/trace_index.c \
	viewers/gorge/logs/event_index_grow.c viewers/gorge/logs/event_source.c \
	viewers/gorge/logs/matcher.c viewers/gorge/logs/memory_budget.c \
	viewers/gorge/logs/object_finder.c viewers/gorge/logs/stack_finder.c \
	viewers/gorge/page/assets.c \
	viewers/gorge/paint/cairo.c viewers/gorge/paint/canvas.c viewers/gorge/paint/paint.c \
	viewers/gorge/paint/path.c viewers/gorge/paint/svg.c \
	viewers/gorge/query/call_name.c viewers/gorge/query/definitions.c \
	viewers/gorge/query/detail.c viewers/gorge/query/distribution.c \
	viewers/gorge/query/filter.c viewers/gorge/query/find.c viewers/gorge/query/found_why.c \
	viewers/gorge/query/function_search.c viewers/gorge/query/hits.c \
	viewers/gorge/query/lookup.c viewers/gorge/query/metric_values.c \
	viewers/gorge/query/notes.c viewers/gorge/query/path_pieces.c viewers/gorge/query/presence.c \
	viewers/gorge/query/search.c viewers/gorge/query/selection.c viewers/gorge/query/view.c \
	viewers/gorge/query/violations.c viewers/gorge/query/wait_detail.c \
	viewers/gorge/scene/bars.c viewers/gorge/scene/dump.c viewers/gorge/scene/links.c \
	viewers/gorge/scene/marks.c viewers/gorge/scene/merges.c \
	viewers/gorge/scene/object_scene.c viewers/gorge/scene/scene.c \
	viewers/gorge/scene/stack_scene.c \
	viewers/gorge/server/attempt.c viewers/gorge/server/changed_replay.c \
	viewers/gorge/server/differences.c viewers/gorge/server/documents.c \
	viewers/gorge/server/follow.c \
	viewers/gorge/server/meanwhile.c viewers/gorge/server/memory.c \
	viewers/gorge/server/notes_file.c viewers/gorge/server/predicted_run.c \
	viewers/gorge/server/beside_session.c viewers/gorge/server/upper_run.c \
	viewers/gorge/server/reopen.c viewers/gorge/server/replay_answer.c \
	viewers/gorge/server/replayer.c viewers/gorge/server/request_queue.c \
	viewers/gorge/server/serve.c viewers/gorge/server/slow_requests.c \
	viewers/gorge/server/wait_search.c viewers/gorge/server/whatif.c \
	viewers/gorge/server/whatif_change.c viewers/gorge/server/why.c \
	viewers/gorge/server/why_run.c \
	viewers/gorge/style/density.c viewers/gorge/style/function_colour.c \
	viewers/gorge/style/function_name.c viewers/gorge/style/text_width.c \
	viewers/gorge/style/theme.c viewers/gorge/style/ticks.c
libgorge_a_CFLAGS = $(AM_CFLAGS) $(CAIRO_CFLAGS)
libgorge_a_CPPFLAGS = $(AM_CPPFLAGS) -DPAGE='"$(abs_srcdir)/viewers/gorge/page"'

bin_PROGRAMS += gorge
gorge_SOURCES = viewers/gorge/gorge.c viewers/gorge/headline.c viewers/gorge/options.c
gorge_LDADD = $(GORGE_LIBS) $(CAIRO_LIBS) $(MICROHTTPD_LIBS)
dist_man_MANS += doc/man/gorge.1

# What the page is made of; the program carries it.
gorge_page = $(wildcard $(srcdir)/viewers/gorge/page/*.js $(srcdir)/viewers/gorge/page/*.css \
	$(srcdir)/viewers/gorge/page/*.html)
viewers/gorge/page/libgorge_a-assets.$(OBJEXT): $(gorge_page) $(engine)
# With CCACHE_DEPEND, ccache does not see the files that .incbin reads, and gives the object of older ones.
viewers/gorge/page/libgorge_a-assets.$(OBJEXT): export CCACHE_DISABLE = 1

# The engine of html documents: what answers the page, compiled for the browser. All that compiles
# for it is given to the linker, which takes what is needed.
gorge_engine = \
	viewers/gorge/wasm/engine.c viewers/gorge/wasm/event_source.c viewers/gorge/wasm/matcher.c \
	viewers/gorge/wasm/missing.c viewers/gorge/wasm/payload_read.c viewers/gorge/wasm/stored.c
if ENGINE
engine_without = \
	base/address_space.c base/confine.c base/directory.c base/file.c base/file_shrink.c base/output.c \
	base/spill.c base/usage.c base/user_cache.c \
	trace/log/growing_log.c trace/open/confine_trace.c trace/open/foreign.c trace/open/grow.c trace/open/open.c \
	trace/open/opened.c trace/open/respecify.c trace/pack/% trace/stream/event_list.c trace/stream/losses.c trace/stream/merge.c \
	trace/symbols/% trace/write/% \
	match/join/pair_stream.c match/join/candidate_filter.c match/stats/tally%.c \
	analysis/headline/% analysis/heap/% analysis/rank/% analysis/why/% \
	viewers/confine_viewer.c viewers/gnuplot.c viewers/web/% \
	viewers/gorge/document/% viewers/gorge/logs/% viewers/gorge/page/% viewers/gorge/paint/cairo.c \
	viewers/gorge/paint/paint.c viewers/gorge/server/% \
	viewers/nibble/plot/draw.c viewers/nibble/plot/terminal_plot.c
engine_sources = $(filter-out $(engine_without),$(sort $(filter %.c,$(libgrammar_a_SOURCES) \
	$(nodist_libgrammar_a_SOURCES) $(libbase_a_SOURCES) $(libspec_a_SOURCES) $(libtrace_a_SOURCES) \
	$(libmatch_a_SOURCES) $(libanalysis_a_SOURCES) $(libviewers_a_SOURCES) $(libgorge_a_SOURCES) \
	$(libnibble_a_SOURCES) $(gorge_engine))))
engine_objects = $(engine_sources:.c=.wo)
engine_compiling = --target=wasm32-wasi -O2 -std=gnu11 $(WARNINGS) -Wno-error -Wno-unused-function \
	-D_WASI_EMULATED_MMAN -D_WASI_EMULATED_SIGNAL -D_WASI_EMULATED_PROCESS_CLOCKS \
	-I$(srcdir)/viewers/gorge/wasm/include -include $(srcdir)/viewers/gorge/wasm/missing.h
engine_linking = --target=wasm32-wasi -mexec-model=reactor -O2 -Wl,-s,-z,stack-size=1048576,--wrap=match_interval
engine_libraries = -lwasi-emulated-mman -lwasi-emulated-signal -lwasi-emulated-process-clocks -lm

SUFFIXES = .wo
.c.wo:
	$(AM_V_CC)$(MKDIR_P) $(@D) && $(WASM_CC) $(engine_compiling) $(AM_CPPFLAGS) -MMD -MP -MF $(@:.wo=.wd) -c -o $@ $<
$(engine_objects): | grammar/parser.h
-include $(engine_objects:.wo=.wd)

engine = viewers/gorge/engine.wasm
$(engine): $(engine_objects)
	$(AM_V_CCLD)$(WASM_CC) $(engine_linking) -o $@ $(engine_objects) $(engine_libraries)
libgorge_a_CPPFLAGS += -DENGINE='"$(abs_builddir)/$(engine)"'
CLEANFILES += $(engine_objects) $(engine_objects:.wo=.wd) $(engine)
endif
