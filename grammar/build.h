/*
 * Builds the nodes of the tree: the parser's rules call one function for each, which allocates in
 * the tree's arena.
 */
#ifndef GLIMPSE_GRAMMAR_BUILD_H
#define GLIMPSE_GRAMMAR_BUILD_H

#include "grammar/state.h"

/* A word with the comment before it. */
struct word {
	struct ast_name name;
	struct span comment;
};

typedef LIST(struct ast_block) ast_blocks;
typedef LIST(struct ast_item) ast_items;
typedef LIST(struct ast_member) ast_members;
typedef LIST(struct ast_look) ast_looks;
typedef LIST(struct ast_argument) ast_arguments;

struct pairing {
	unsigned flags;
	struct ast_look *names; /* behind "Match" */
	struct span where;
};

struct ast_block *build_block(struct parser *p, struct ast_name name, struct ast_item *items,
			      struct ast_name end_name);

struct ast_item *build_event(struct parser *p, struct span where, struct word keyword,
			     struct ast_name name, struct ast_member *members,
			     struct ast_look *look);
struct ast_member *build_member(struct parser *p, struct ast_name type, struct ast_name name);
struct ast_member *build_behind_comma(struct ast_member *m);
struct ast_look *build_look(struct parser *p, struct ast_name word, struct ast_name value);

/* Joins two strings that follow each other. */
struct ast_name build_joined(struct parser *p, struct ast_name first, struct ast_name second);

struct ast_end build_end(struct span where, struct ast_name alias, struct ast_name name,
			 struct ast_name moment);
/* Makes an interval of its head; the parser adds what follows the bracket, and its place. */
struct ast_interval *build_interval(struct parser *p, struct ast_name name, struct ast_end first,
				    bool backwards, struct ast_end second);
void interval_pair(struct ast_interval *i, struct pairing pairing, struct ast_expr *condition);
struct ast_interval *interval_look(struct parser *p, struct ast_interval *i, struct span equals,
				   struct ast_look *look);
struct ast_interval *interval_metric(struct parser *p, struct ast_interval *i, struct ast_name name,
				     struct ast_expr *value);
struct ast_item *interval_item(struct parser *p, struct span where, struct word keyword,
			       struct ast_interval *i);
struct pairing pairing_match(struct parser *p, struct pairing before, struct ast_name word,
			     struct ast_look *names);
struct pairing pairing_add(struct parser *p, struct pairing before, unsigned flag,
			   struct ast_name word);

struct ast_item *build_assertion(struct parser *p, struct span where, struct ast_name interval,
				 struct ast_expr *condition);
struct ast_hypothesis *build_hypothesis(struct parser *p, struct ast_name name,
					struct ast_look *refines, struct ast_expr *condition);
struct ast_hypothesis *hypothesis_look(struct ast_hypothesis *h, struct ast_look *look);
struct ast_item *hypothesis_item(struct parser *p, struct span where, struct word keyword,
				 struct ast_hypothesis *h);
struct ast_item *build_axis(struct parser *p, struct span where, struct ast_name name,
			    struct ast_name event, struct ast_name attribute);
struct ast_item *build_order(struct parser *p, struct span where, struct ast_look *patterns);
struct ast_object *build_object(struct parser *p, struct ast_name name, struct ast_look *functions);
struct ast_object *object_look(struct ast_object *o, struct ast_look *look);
struct ast_item *object_item(struct parser *p, struct span where, struct word keyword,
			     struct ast_object *o);
struct ast_item *build_import(struct parser *p, struct span where, struct ast_name path);

struct ast_expr *build_number(struct parser *p, struct span where, struct ast_number number);
struct ast_expr *build_string(struct parser *p, struct ast_name string);
struct ast_expr *build_name(struct parser *p, struct ast_name name);
struct ast_expr *build_member_of(struct parser *p, struct span where, struct ast_expr *left,
				 struct ast_name name);
struct ast_expr *build_call(struct parser *p, struct span where, struct ast_name name,
			    struct ast_argument *arguments);
struct ast_expr *build_select(struct parser *p, struct span where, struct ast_expr *left,
			      struct ast_argument *items);
struct ast_expr *build_per(struct parser *p, struct span where, struct ast_expr *left,
			   struct ast_expr *family);
struct ast_expr *build_unary(struct parser *p, struct span where, enum ast_op op,
			     struct ast_expr *operand);
struct ast_expr *build_binary(struct parser *p, struct span where, enum ast_op op,
			      struct ast_expr *left, struct ast_expr *right);
struct ast_expr *build_parenthesis(struct ast_expr *e, struct span where);
/* Makes an argument, a plain one if key.text is NULL. */
struct ast_argument *build_argument(struct parser *p, struct span where, struct ast_name key,
				    struct ast_expr *value);
struct ast_argument *build_where(struct parser *p, struct span where, struct ast_name keyword,
				 struct ast_expr *condition);

#endif
