/* Series expressions: the syntax tree of each, written out. */
#include "grammar/parse.h"
#include "tests/tap.h"
#include <stdlib.h>

static void write_expr(FILE *out, const struct ast_expr *e);

static void write_arguments(FILE *out, const struct ast_argument *list)
{
	for (const struct ast_argument *a = list; a; a = a->next) {
		fprintf(out, " ");
		if (a->is_where)
			fprintf(out, "where:");
		else if (a->key.text)
			fprintf(out, "%s=", a->key.text);
		write_expr(out, a->value);
	}
}

static void write_number(FILE *out, const struct ast_number *n)
{
	static const char *const dimensions[] = {"", "ns", "B"};
	if (n->is_real)
		fprintf(out, "%g%s", n->real, dimensions[n->dimension]);
	else
		fprintf(out, "%lld%s", (long long)n->integer, dimensions[n->dimension]);
}

/* (kind operands...), leaves as they are. */
static void write_expr(FILE *out, const struct ast_expr *e)
{
	static const char *const kinds[] = {
	    [AST_MEMBER] = "member",
	    [AST_CALL] = "call",
	    [AST_SELECT] = "select",
	    [AST_PER] = "per",
	};
	if (e->kind == AST_NUMBER) {
		write_number(out, &e->number);
		return;
	}
	if (e->kind == AST_NAME || e->kind == AST_STRING) {
		fprintf(out, e->kind == AST_NAME ? "%s" : "\"%s\"", e->name.text);
		return;
	}
	fprintf(out, "(%s", e->kind >= AST_UNARY ? ast_op_text(e->op) : kinds[e->kind]);
	if (e->left) {
		fprintf(out, " ");
		write_expr(out, e->left);
	}
	if (e->right) {
		fprintf(out, " ");
		write_expr(out, e->right);
	}
	if (e->name.text && e->kind != AST_PER)
		fprintf(out, " %s", e->name.text);
	write_arguments(out, e->arguments);
	fprintf(out, ")");
}

static const struct {
	const char *text, *tree;
} series[] = {
    {"count(Sendmsg[thread=0]) - count(Recvmsg[thread=\"worker*\"])",
     "(- (call count (select Sendmsg thread=0)) (call count (select Recvmsg thread=\"worker*\")))"},
    {"rate(E)", "(call rate E)"},
    {"mean(I.time, window 5 ms)", "(call mean (member I time) window=5000000ns)"},
    {"mean(I.time, window = 2 * 5 ms)", "(call mean (member I time) window=(* 2 5000000ns))"},
    {"hist(I.time)", "(call hist (member I time))"},
    {"count(E[where src == 3 && thread == 0])",
     "(call count (select E where:(&& (== src 3) (== thread 0))))"},
    {"count(E[thread=0, where a.x <-1])",
     "(call count (select E thread=0 where:(< (member a x) (- 1))))"},
    {"rate(E) per thread", "(per (call rate E) thread)"},
    {"rate(E) per a.size + 1", "(+ (per (call rate E) (member a size)) 1)"},
    {"rate(E) per (a.size + 1)", "(per (call rate E) (+ (member a size) 1))"},
    {"count(E) per src - count(F) per src",
     "(- (per (call count E) src) (per (call count F) src))"},
    {"(rate(E) - rate(F)) per thread", "(per (- (call rate E) (call rate F)) thread)"},
    {"p99.9(I[thread=1].time) / 1 ms",
     "(/ (call p99.9 (member (select I thread=1) time)) 1000000ns)"},
    {"smooth(count(E), 1.5 us)", "(call smooth (call count E) 1500ns)"},
    {"f()", "(call f)"},
    {"f(style \"dashed\")", "(call f style=\"dashed\")"},
    {"per per per", "(per per per)"},
    {"-count(E) * 2.5 + 0x10", "(+ (* (- (call count E)) 2.5) 16)"},
    {"where(event[where match > 3])", "(call where (select event where:(> match 3)))"},
    {"a - b - c * d / e % f", "(- (- a b) (% (/ (* c d) e) f))"},
    {"!(a || b && !c) == d", "(== (! (|| a (&& b (! c)))) d)"},
    {"1 / 3 KiB # comment", "(/ 1 3072B)"},
};

static const char *const wrong[] = {
    "",
    "a b",
    "count(",
    "count(E]",
    "E[0]",
    "E[where]",
    "E[]",
    "a..b",
    "f(a,)",
    "a per",
    "1 2",
    ";",
    "a[thread=0 thread=1]",
    "f(window)(x)",
    "10 parsec",
};

static void series_test(const char *text, const char *tree)
{
	struct diag diag = {.out = NULL};
	struct source *source = source_text("<expression>", text);
	struct ast *t = parse_series(source, &diag);
	char got[512] = "an error";
	FILE *out = fmemopen(got, sizeof got, "w");
	if (t)
		write_expr(out, t->series);
	fclose(out);
	is(got, tree, text);
	ast_free(t);
	source_free(source);
}

static void wrong_test(const char *text)
{
	struct diag diag = {.out = NULL};
	struct source *source = source_text("<expression>", text);
	struct ast *t = parse_series(source, &diag);
	ok(!t && diag.errors == 1, text);
	ast_free(t);
	source_free(source);
}

int main(void)
{
	for (size_t i = 0; i < sizeof series / sizeof *series; i++)
		series_test(series[i].text, series[i].tree);
	for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
		wrong_test(wrong[i]);
	return tap_end();
}
