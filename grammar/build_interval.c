#include "grammar/build.h"
#include "grammar/comment.h"

struct ast_end build_end(struct span where, struct ast_name alias, struct ast_name name,
			 struct ast_name moment)
{
	return (struct ast_end){.where = where, .alias = alias, .name = name, .moment = moment};
}

struct ast_interval *build_interval(struct parser *p, struct ast_name name, struct ast_end first,
				    bool backwards, struct ast_end second)
{
	struct ast_interval *i = arena_alloc(p->tree->arena, sizeof *i);
	i->name = name;
	i->first = first;
	i->second = second;
	i->backwards = backwards;
	return i;
}

void interval_pair(struct ast_interval *i, struct pairing pairing, struct ast_expr *condition)
{
	i->pairing = pairing.flags;
	i->pairing_where = pairing.where;
	i->condition = condition;
}

struct ast_interval *interval_look(struct parser *p, struct ast_interval *i, struct span equals,
				   struct ast_look *look)
{
	if (i->look_where.source) {
		diag_error(p->diag, equals, "interval '%s' has its look already", i->name.text);
		diag_note(p->diag, i->look_where, "it was given here");
		return i;
	}
	i->look = look;
	i->look_where = equals;
	return i;
}

struct ast_interval *interval_metric(struct parser *p, struct ast_interval *i, struct ast_name name,
				     struct ast_expr *value)
{
	struct ast_metric *m = arena_alloc(p->tree->arena, sizeof *m);
	m->name = name;
	m->value = value;
	struct ast_metric **end = &i->metrics;
	while (*end)
		end = &(*end)->next;
	*end = m;
	return i;
}

struct ast_item *interval_item(struct parser *p, struct span where, struct word keyword,
			       struct ast_interval *i)
{
	struct ast_item *item = arena_alloc(p->tree->arena, sizeof *item);
	item->kind = AST_INTERVAL;
	item->where = where;
	item->comment_where = keyword.comment;
	item->comment = comment_text(p->tree->arena, keyword.comment);
	item->interval = *i;
	return item;
}

struct pairing pairing_add(struct parser *p, struct pairing before, unsigned flag,
			   struct ast_name word)
{
	if (before.flags & flag)
		diag_error(p->diag, word.where, "'%s' is written twice", word.text);
	struct span where = before.flags ? span_join(before.where, word.where) : word.where;
	return (struct pairing){before.flags | flag, where};
}
