#include "grammar/build.h"
#include "grammar/comment.h"

#include <string.h>

#define NEW(p, type) ((type *)arena_alloc((p)->tree->arena, sizeof(type)))

struct ast_block *build_block(struct parser *p, struct ast_name name, struct ast_item *items,
			      struct ast_name end_name)
{
	struct ast_block *b = NEW(p, struct ast_block);
	*b = (struct ast_block){.name = name, .items = items, .end_name = end_name};
	if (end_name.text && strcmp(end_name.text, name.text) != 0) {
		diag_error(p->diag, end_name.where, "'end %s' closes the block '%s'", end_name.text,
			   name.text);
		diag_note(p->diag, name.where, "which begins here");
	}
	return b;
}

static struct ast_item *item_new(struct parser *p, enum ast_item_kind kind, struct span where,
				 struct span comment)
{
	struct ast_item *item = NEW(p, struct ast_item);
	item->kind = kind;
	item->where = where;
	item->comment_where = comment;
	item->comment = comment_text(p->tree->arena, comment);
	return item;
}

struct ast_item *build_event(struct parser *p, struct span where, struct word keyword,
			     struct ast_name name, struct ast_member *members,
			     struct ast_look *look)
{
	struct ast_item *item = item_new(p, AST_EVENT, where, keyword.comment);
	item->event = (struct ast_event){name, members, look};
	return item;
}

struct ast_member *build_member(struct parser *p, struct ast_name type, struct ast_name name)
{
	struct ast_member *m = NEW(p, struct ast_member);
	m->type = type;
	m->name = name;
	return m;
}

struct ast_member *build_behind_comma(struct ast_member *m)
{
	m->behind_comma = true;
	return m;
}

struct ast_look *build_look(struct parser *p, struct ast_name word, struct ast_name value)
{
	struct ast_look *l = NEW(p, struct ast_look);
	l->word = word;
	l->value = value;
	return l;
}

struct ast_item *build_assertion(struct parser *p, struct span where, struct ast_name interval,
				 struct ast_expr *condition)
{
	struct ast_item *item = item_new(p, AST_ASSERTION, where, DIAG_NOWHERE);
	item->assertion = (struct ast_assertion){interval, condition};
	return item;
}

struct ast_item *build_import(struct parser *p, struct span where, struct ast_name path)
{
	struct ast_item *item = item_new(p, AST_IMPORT, where, DIAG_NOWHERE);
	item->import = path;
	return item;
}
