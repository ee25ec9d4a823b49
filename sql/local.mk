# sql: intervals as queries of other engines.

noinst_LIBRARIES += libsql.a
libsql_a_SOURCES = \
	sql/conjuncts.c \
	sql/dialect.c \
	sql/expression.c \
	sql/grouped.c \
	sql/locks.c \
	sql/parting.c \
	sql/profile.c \
	sql/query.c \
	sql/summary.c \
	sql/tables.c \
	sql/threads.c \
	sql/window.c \
	sql/windows.c
