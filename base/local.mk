# base: what knows nothing of Glimpse.

noinst_LIBRARIES += libbase.a
libbase_a_SOURCES = \
	base/address_space.c base/array.c base/base64.c base/confine.c base/csv.c \
	base/directory.c base/file.c base/file_open.c base/file_shrink.c base/hash.c base/json.c \
	base/name_pattern.c base/nearest.c base/output.c base/parallel.c base/path.c base/print.c base/progress.c \
	base/quantile.c base/ranges.c base/sha256.c base/sort.c base/spill.c base/task.c base/terminal.c base/units.c \
	base/usage.c base/user_cache.c base/utf8.c base/value_bag.c base/visible.c
