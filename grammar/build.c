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
		diag_error(p->diag, end_name.where,
			   "'end %s' does not match the name of the block, '%s'", end_name.text,
			   name.text);
		diag_note(p->diag, name.where, "the block begins here");
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

struct ast_name build_joined(struct parser *p, struct ast_name first, struct ast_name second)
{
	/* each join copies: the memory for many must not grow as a square */
	enum { MOST = 4096 };
	struct ast_name joined = {first.text, span_join(first.where, second.where)};
	size_t n = strlen(first.text), added = strlen(second.text);
	char *text;

	if (n <= MOST && n + added > MOST)
		diag_error(p->diag, second.where, "strings in a row have more than %d bytes", MOST);
	if (added && n <= MOST) {
		joined.text = text = arena_alloc(p->tree->arena, n + added + 1);
		memcpy(text, first.text, n);
		memcpy(text + n, second.text, added);
	}
	return joined;
}

struct ast_item *build_assertion(struct parser *p, struct span where, struct ast_name interval,
				 struct ast_expr *condition)
{
	struct ast_item *item = item_new(p, AST_ASSERTION, where, DIAG_NOWHERE);
	item->assertion = (struct ast_assertion){interval, condition};
	return item;
}

struct ast_hypothesis *build_hypothesis(struct parser *p, struct ast_name name,
					struct ast_look *refines, struct ast_expr *condition)
{
	struct ast_hypothesis *h = NEW(p, struct ast_hypothesis);
	*h = (struct ast_hypothesis){name, refines, condition, NULL};
	return h;
}

static void looks_append(struct ast_look **list, struct ast_look *more)
{
	while (*list)
		list = &(*list)->next;
	*list = more;
}

struct ast_hypothesis *hypothesis_look(struct ast_hypothesis *h, struct ast_look *look)
{
	looks_append(&h->look, look);
	return h;
}

struct ast_item *hypothesis_item(struct parser *p, struct span where, struct word keyword,
				 struct ast_hypothesis *h)
{
	struct ast_item *item = item_new(p, AST_HYPOTHESIS, where, keyword.comment);
	item->hypothesis = *h;
	return item;
}

struct ast_item *build_axis(struct parser *p, struct span where, struct ast_name name,
			    struct ast_name event, struct ast_name attribute)
{
	struct ast_item *item = item_new(p, AST_AXIS, where, DIAG_NOWHERE);
	item->axis = (struct ast_axis){name, event, attribute};
	return item;
}

struct ast_item *build_order(struct parser *p, struct span where, struct ast_look *patterns)
{
	struct ast_item *item = item_new(p, AST_ORDER, where, DIAG_NOWHERE);
	item->order = patterns;
	return item;
}

struct ast_object *build_object(struct parser *p, struct ast_name name, struct ast_look *functions)
{
	struct ast_object *o = NEW(p, struct ast_object);
	*o = (struct ast_object){name, functions, NULL};
	return o;
}

struct ast_object *object_look(struct ast_object *o, struct ast_look *look)
{
	looks_append(&o->look, look);
	return o;
}

struct ast_item *object_item(struct parser *p, struct span where, struct word keyword,
			     struct ast_object *o)
{
	struct ast_item *item = item_new(p, AST_OBJECT, where, keyword.comment);
	item->object = *o;
	return item;
}

struct ast_item *build_import(struct parser *p, struct span where, struct ast_name path)
{
	struct ast_item *item = item_new(p, AST_IMPORT, where, DIAG_NOWHERE);
	item->import = path;
	return item;
}

/* ---- Intervals ------------------------------------------------------------------------------- */

struct ast_end build_end(struct span where, struct ast_name alias, struct ast_name name,
			 struct ast_name moment)
{
	return (struct ast_end){.where = where, .alias = alias, .name = name, .moment = moment};
}

struct ast_interval *build_interval(struct parser *p, struct ast_name name, struct ast_end first,
				    bool backwards, struct ast_end second)
{
	struct ast_interval *i = NEW(p, struct ast_interval);
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
	i->match = pairing.names;
	i->condition = condition;
}

struct ast_interval *interval_look(struct parser *p, struct ast_interval *i, struct span equals,
				   struct ast_look *look)
{
	if (i->look_where.source) {
		diag_error(p->diag, equals, "interval '%s' already has a look", i->name.text);
		diag_note(p->diag, i->look_where, "first given here");
		return i;
	}
	i->look = look;
	i->look_where = equals;
	return i;
}

struct ast_interval *interval_metric(struct parser *p, struct ast_interval *i, struct ast_name name,
				     struct ast_expr *value)
{
	struct ast_metric *m = NEW(p, struct ast_metric);
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
	struct ast_item *item = item_new(p, AST_INTERVAL, where, keyword.comment);
	item->interval = *i;
	return item;
}

struct pairing pairing_add(struct parser *p, struct pairing before, unsigned flag,
			   struct ast_name word)
{
	if (before.flags & flag)
		diag_error(p->diag, word.where, "'%s' is given twice", word.text);
	struct span where = before.flags ? span_join(before.where, word.where) : word.where;
	return (struct pairing){before.flags | flag, before.names, where};
}

struct pairing pairing_match(struct parser *p, struct pairing before, struct ast_name word,
			     struct ast_look *names)
{
	struct pairing pairing = pairing_add(p, before, AST_MATCH, word);

	pairing.names = names;
	return pairing;
}

/* ---- Expressions ----------------------------------------------------------------------------- */

/* Deeper trees are refused, so that walks through them may recurse. */
enum { DEEPEST = 2000 };

static unsigned depth_of(const struct ast_expr *e)
{
	return e ? e->depth : 0;
}

static struct ast_expr *build_node_new(struct parser *p, struct ast_expr fields)
{
	struct ast_expr *e = NEW(p, struct ast_expr);
	*e = fields;
	unsigned deepest = depth_of(e->left);
	if (depth_of(e->right) > deepest)
		deepest = depth_of(e->right);
	for (const struct ast_argument *a = e->arguments; a; a = a->next)
		if (depth_of(a->value) > deepest)
			deepest = depth_of(a->value);
	e->depth = deepest + 1;
	if (e->depth > DEEPEST && !p->too_deep) {
		p->too_deep = true;
		diag_error(p->diag, e->where,
			   "expression is nested too deeply: more than %d levels", DEEPEST);
	}
	return e;
}

struct ast_expr *build_number(struct parser *p, struct span where, struct ast_number number)
{
	return build_node_new(
	    p, (struct ast_expr){.kind = AST_NUMBER, .where = where, .number = number});
}

struct ast_expr *build_string(struct parser *p, struct ast_name string)
{
	return build_node_new(
	    p, (struct ast_expr){.kind = AST_STRING, .where = string.where, .name = string});
}

struct ast_expr *build_name(struct parser *p, struct ast_name name)
{
	return build_node_new(
	    p, (struct ast_expr){.kind = AST_NAME, .where = name.where, .name = name});
}

struct ast_expr *build_member_of(struct parser *p, struct span where, struct ast_expr *left,
				 struct ast_name name)
{
	return build_node_new(
	    p, (struct ast_expr){.kind = AST_MEMBER, .where = where, .left = left, .name = name});
}

struct ast_expr *build_call(struct parser *p, struct span where, struct ast_name name,
			    struct ast_argument *arguments)
{
	return build_node_new(
	    p, (struct ast_expr){
		   .kind = AST_CALL, .where = where, .name = name, .arguments = arguments});
}

struct ast_expr *build_select(struct parser *p, struct span where, struct ast_expr *left,
			      struct ast_argument *items)
{
	return build_node_new(
	    p, (struct ast_expr){
		   .kind = AST_SELECT, .where = where, .left = left, .arguments = items});
}

struct ast_expr *build_per(struct parser *p, struct span where, struct ast_expr *left,
			   struct ast_expr *family)
{
	struct span of = family->where;
	struct ast_name name = {.where = of};

	name.text = arena_copy(p->tree->arena, of.source->text + of.start, of.end - of.start);
	return build_node_new(
	    p, (struct ast_expr){
		   .kind = AST_PER, .where = where, .left = left, .right = family, .name = name});
}

struct ast_expr *build_unary(struct parser *p, struct span where, enum ast_op op,
			     struct ast_expr *operand)
{
	return build_node_new(
	    p, (struct ast_expr){.kind = AST_UNARY, .where = where, .op = op, .left = operand});
}

struct ast_expr *build_binary(struct parser *p, struct span where, enum ast_op op,
			      struct ast_expr *left, struct ast_expr *right)
{
	return build_node_new(
	    p, (struct ast_expr){
		   .kind = AST_BINARY, .where = where, .op = op, .left = left, .right = right});
}

struct ast_expr *build_parenthesis(struct ast_expr *e, struct span where)
{
	e->where = where;
	return e;
}

struct ast_argument *build_argument(struct parser *p, struct span where, struct ast_name key,
				    struct ast_expr *value)
{
	struct ast_argument *a = NEW(p, struct ast_argument);
	*a = (struct ast_argument){.where = where, .key = key, .value = value};
	return a;
}

struct ast_argument *build_where(struct parser *p, struct span where, struct ast_name keyword,
				 struct ast_expr *condition)
{
	struct ast_argument *a = build_argument(p, where, keyword, condition);
	a->is_where = true;
	return a;
}
