/*
 * The grammar of specifications and of series expressions. Each action is one call that makes a
 * node.
 */

%require "3.8"
%define api.pure full
%define api.prefix {grammar_}
%define api.token.prefix {TOKEN_}
%define api.location.type {struct span}
%define parse.error custom
%define parse.lac full
%expect 0
%locations
%param { struct parser *p }

%code requires {
#include "grammar/build.h"
}

%code {
#include "base/nearest.h"
#include "grammar/literal.h"
#include "grammar/scanner.h"

static void grammar_error(struct span *where, struct parser *p, const char *message);

/* The place of a rule without symbols is just after the symbol before it. */
#define YYLLOC_DEFAULT(current, rhs, n) \
	((current) = (n) ? span_join(YYRHSLOC(rhs, 1), YYRHSLOC(rhs, n)) \
			 : (struct span){YYRHSLOC(rhs, 0).source, YYRHSLOC(rhs, 0).end, \
					 YYRHSLOC(rhs, 0).end})

static const struct ast_name NO_NAME;
}

/*
 * None of these needs a %destructor: nodes, names and strings belong to the arena of the tree, also
 * those that error recovery drops.
 */
%union {
	struct word word;
	struct ast_name name, string;
	struct ast_number number;
	struct ast_block *block;
	struct ast_item *item;
	struct ast_member *member;
	struct ast_look *look_item;
	struct ast_hypothesis *hypothesis;
	struct ast_object *object;
	struct ast_end end;
	struct ast_interval *interval;
	struct ast_expr *expr;
	struct ast_argument *argument;
	struct pairing pairing;
	ast_blocks blocks;
	ast_items items;
	ast_members members;
	ast_looks looks;
	ast_arguments arguments;
	bool flag;
}

%token END_OF_FILE 0 "end of file"
%token START_SPEC START_SERIES
/* A soft type is a type only where a name follows it: "code site"; alone it is a name. */
%token <word> NAME "name" TYPE "type" SOFT_TYPE "soft type"
%token <word> GLIMPSE "glimpse" END "end" EVENT "event" INTERVAL "interval" ASSERT "assert"
%token <word> IMPORT "import" SYMBOL "symbol" CONNECTION "connection" WHERE "where" MATCH "Match"
%token <word> HYPOTHESIS "hypothesis" REFINES "refines" AXIS "axis" BY "by" ORDER "order"
/* "object" is a soft type, too. */
%token <word> OBJECT "object" IN "in"
%token <word> ONCE "once" NESTED "nested" METRIC "metric" FORWARDS "forwards"
%token <word> BACKWARDS "backwards" PER "per"
%token <number> NUMBER "number"
%token <string> STRING "string"
%token RIGHT "->" LEFT "<-"
%token EQ "==" NE "!=" LT "<" LE "<=" GT ">" GE ">=" AND "&&" OR "||"
%token PLUS 43 "+" MINUS 45 "-" TIMES 42 "*" DIVIDE 47 "/" REMAINDER 37 "%"
%token DOT 46 "." PARENTHESIS 40 "(" BRACKET 91 "[" BRACE 123 "{"
%token EQUALS 61 "=" SEMICOLON 59 ";" COMMA 44 "," COLON 58 ":" NOT 33 "!"
%token PARENTHESIS_CLOSE 41 ")" BRACKET_CLOSE 93 "]" BRACE_CLOSE 125 "}"

%left "||"
%left "&&"
%nonassoc "==" "!=" "<" "<=" ">" ">="
%left "+" "-"
%left "*" "/" "%"
%precedence "!" NEGATE
%precedence PER
%precedence "."

%type <word> keyword clause_word typeless_word plain_word option_word look_word tie_word matched_word
%type <word> soft_type
%type <name> name end_name
%type <string> value
%type <blocks> blocks
%type <block> block
%type <items> items
%type <item> item
%type <members> members member_list open_list soft_list
%type <member> member soft_member
%type <looks> looks look ties tie styles
%type <looks> refined matched patterns
%type <hypothesis> hypothesis
%type <object> object
%type <look_item> style
%type <end> end
%type <flag> direction
%type <pairing> pairing
%type <interval> interval
%type <expr> condition expr postfix family primary literal
%type <arguments> arguments argument_list selection
%type <argument> argument selector

%%

start:
  START_SPEC blocks		{ p->tree->blocks = $2.first; }
| START_SERIES expr		{ p->tree->series = $2; }
;

blocks:
  block				{ $$ = (ast_blocks){$1, $1}; }
| blocks block			{ $$ = $1; LIST_APPEND($$, $2); }
;

block:
  "glimpse" name items "end" end_name	{ $$ = build_block(p, $2, $3.first, $5); }
;

end_name:
  %empty			{ $$ = NO_NAME; }
| "."				{ $$ = NO_NAME; }
| plain_word			{ $$ = $1.name; }
| plain_word "."		{ $$ = $1.name; }
;

items:
  %empty			{ $$ = (ast_items){0}; }
| items item			{ $$ = $1; LIST_APPEND($$, $2); }
;

item:
  "event" name ";"		{ $$ = build_event(p, @$, $1, $2, NULL, NULL); }
| "event" name "=" looks ";"	{ $$ = build_event(p, @$, $1, $2, NULL, $4.first); }
| "event" name "(" members ")" ";"
				{ $$ = build_event(p, @$, $1, $2, $4.first, NULL); }
| "event" name "(" members ")" "=" looks ";"
				{ $$ = build_event(p, @$, $1, $2, $4.first, $7.first); }
| "interval" interval ";"	{ $$ = interval_item(p, @$, $1, $2); }
| "assert" expr ";"		{ $$ = build_assertion(p, @$, NO_NAME, $2); }
| "assert" name ":" expr ";"	{ $$ = build_assertion(p, @$, $2, $4); }
| "import" STRING ";"		{ $$ = build_import(p, @$, $2); }
| "hypothesis" hypothesis ";"	{ $$ = hypothesis_item(p, @$, $1, $2); }
| "axis" name "by" name "." name ";"	{ $$ = build_axis(p, @$, $2, $4, $6); }
| "order" patterns ";"		{ $$ = build_order(p, @$, $2.first); }
| "object" object ";"		{ $$ = object_item(p, @$, $1, $2); }
| error ";"			{ $$ = NULL; yyerrok; }
| error				{ $$ = NULL; }
;

patterns:
  STRING			{ $$.first = $$.last = build_look(p, $1, NO_NAME); }
| patterns "," STRING		{ $$ = $1; LIST_APPEND($$, build_look(p, $3, NO_NAME)); }
;

members:
  %empty			{ $$ = (ast_members){0}; }
| member_list
;

/* A list that ends in a soft type needs a comma to go on: without it, that is the type of a name. */
member_list: open_list | soft_list;

open_list:
  member			{ $$ = (ast_members){$1, $1}; }
| open_list member		{ $$ = $1; LIST_APPEND($$, $2); }
| member_list "," member	{ $$ = $1; LIST_APPEND($$, build_behind_comma($3)); }
;

soft_list:
  soft_member			{ $$ = (ast_members){$1, $1}; }
| open_list soft_member		{ $$ = $1; LIST_APPEND($$, $2); }
| member_list "," soft_member	{ $$ = $1; LIST_APPEND($$, build_behind_comma($3)); }
;

member:
  typeless_word			{ $$ = build_member(p, NO_NAME, $1.name); }
| TYPE name			{ $$ = build_member(p, $1.name, $2); }
| soft_type name		{ $$ = build_member(p, $1.name, $2); }
;

soft_member:
  soft_type			{ $$ = build_member(p, NO_NAME, $1.name); }
;

/* The look of an event. Symbols and styles are plain names, which are checked later. */
looks:
  %empty			{ $$ = (ast_looks){0}; }
| looks look			{ $$ = $1; LIST_APPEND($$, $2.first); }
;

look:
  look_word			{ $$.first = $$.last = build_look(p, $1.name, NO_NAME); }
| look_word value		{ $$.first = $$.last = build_look(p, $1.name, $2); }
| "(" styles ")"		{ $$ = $2; }
| "symbol" "(" looks ")"	{ $$ = $3; }
;

/* The look of an interval: the same, but the words after it may begin another clause. */
ties:
  %empty			{ $$ = (ast_looks){0}; }
| ties tie			{ $$ = $1; LIST_APPEND($$, $2.first); }
;

tie:
  tie_word			{ $$.first = $$.last = build_look(p, $1.name, NO_NAME); }
| tie_word value		{ $$.first = $$.last = build_look(p, $1.name, $2); }
| "(" styles ")"		{ $$ = $2; }
| "connection" "(" ties ")"	{ $$ = $3; }
;

styles:
  style				{ $$ = (ast_looks){$1, $1}; }
| styles style			{ $$ = $1; LIST_APPEND($$, $2); }
| styles "," style		{ $$ = $1; LIST_APPEND($$, $3); }
;

style:
  name value			{ $$ = build_look(p, $1, $2); }
;

/* Strings that follow each other are one, so that a long one can be written in several lines. */
value:
  STRING
| value STRING			{ $$ = build_joined(p, $1, $2); }
;

interval:
  name "[" end direction end "]" pairing condition
		{ $$ = build_interval(p, $1, $3, $4, $5); interval_pair($$, $7, $8); }
| interval "=" ties		{ $$ = interval_look(p, $1, @2, $3.first); }
| interval "metric" name "=" expr	{ $$ = interval_metric(p, $1, $3, $5); }
;

hypothesis:
  name condition		{ $$ = build_hypothesis(p, $1, NULL, $2); }
| name "refines" refined condition	{ $$ = build_hypothesis(p, $1, $3.first, $4); }
| hypothesis "=" looks		{ $$ = hypothesis_look($1, $3.first); }
;

refined:
  name				{ $$.first = $$.last = build_look(p, $1, NO_NAME); }
| refined "," name		{ $$ = $1; LIST_APPEND($$, build_look(p, $3, NO_NAME)); }
;

object:
  "in" patterns			{ $$ = build_object(p, NO_NAME, $2.first); }
| STRING "in" patterns		{ $$ = build_object(p, $1, $3.first); }
| object "=" looks		{ $$ = object_look($1, $3.first); }
;

end:
  name				{ $$ = build_end(@$, NO_NAME, $1, NO_NAME); }
| name "." name			{ $$ = build_end(@$, NO_NAME, $1, $3); }
| name ":" name			{ $$ = build_end(@$, $1, $3, NO_NAME); }
| name ":" name "." name	{ $$ = build_end(@$, $1, $3, $5); }
;

direction:
  "->"				{ $$ = false; }
| "forwards"			{ $$ = false; }
| ","				{ $$ = false; }
| "<-"				{ $$ = true; }
| "backwards"			{ $$ = true; }
;

pairing:
  %empty			{ $$ = (struct pairing){0, NULL, @$}; }
| pairing "Match"		{ $$ = pairing_add(p, $1, AST_MATCH, $2.name); }
| pairing "Match" matched	{ $$ = pairing_match(p, $1, $2.name, $3.first); }
| pairing "once"		{ $$ = pairing_add(p, $1, AST_ONCE, $2.name); }
| pairing "nested"		{ $$ = pairing_add(p, $1, AST_NESTED, $2.name); }
;

matched:
  matched_word			{ $$.first = $$.last = build_look(p, $1.name, NO_NAME); }
| matched "," matched_word	{ $$ = $1; LIST_APPEND($$, build_look(p, $3.name, NO_NAME)); }
;

condition:
  %empty			{ $$ = NULL; }
| "{" expr "}"			{ $$ = $2; }
| "where" expr			{ $$ = $2; }
;

expr:
  postfix
| "!" expr			{ $$ = build_unary(p, @$, AST_OP_NOT, $2); }
| "-" expr %prec NEGATE		{ $$ = build_unary(p, @$, AST_OP_NEGATE, $2); }
| expr "||" expr		{ $$ = build_binary(p, @$, AST_OP_OR, $1, $3); }
| expr "&&" expr		{ $$ = build_binary(p, @$, AST_OP_AND, $1, $3); }
| expr "==" expr		{ $$ = build_binary(p, @$, AST_OP_EQ, $1, $3); }
| expr "!=" expr		{ $$ = build_binary(p, @$, AST_OP_NE, $1, $3); }
| expr "<" expr			{ $$ = build_binary(p, @$, AST_OP_LT, $1, $3); }
| expr "<=" expr		{ $$ = build_binary(p, @$, AST_OP_LE, $1, $3); }
| expr ">" expr			{ $$ = build_binary(p, @$, AST_OP_GT, $1, $3); }
| expr ">=" expr		{ $$ = build_binary(p, @$, AST_OP_GE, $1, $3); }
| expr "+" expr			{ $$ = build_binary(p, @$, AST_OP_ADD, $1, $3); }
| expr "-" expr			{ $$ = build_binary(p, @$, AST_OP_SUB, $1, $3); }
| expr "*" expr			{ $$ = build_binary(p, @$, AST_OP_MUL, $1, $3); }
| expr "/" expr			{ $$ = build_binary(p, @$, AST_OP_DIV, $1, $3); }
| expr "%" expr			{ $$ = build_binary(p, @$, AST_OP_MOD, $1, $3); }
;

postfix:
  primary
| postfix "." name		{ $$ = build_member_of(p, @$, $1, $3); }
| postfix "[" selection "]"	{ $$ = build_select(p, @$, $1, $3.first); }
| postfix "per" family		{ $$ = build_per(p, @$, $1, $3); }
;

family:
  name	%prec PER		{ $$ = build_name(p, $1); }
| name "." name			{ $$ = build_member_of(p, @$, build_name(p, $1), $3); }
| "(" expr ")"			{ $$ = build_parenthesis($2, @$); }
;

primary:
  literal
| name				{ $$ = build_name(p, $1); }
| name "(" arguments ")"	{ $$ = build_call(p, @$, $1, $3.first); }
| "(" expr ")"			{ $$ = build_parenthesis($2, @$); }
;

literal:
  NUMBER			{ $$ = build_number(p, @$, $1); }
| STRING			{ $$ = build_string(p, $1); }
;

arguments:
  %empty			{ $$ = (ast_arguments){0}; }
| argument_list
;

argument_list:
  argument			{ $$ = (ast_arguments){$1, $1}; }
| argument_list "," argument	{ $$ = $1; LIST_APPEND($$, $3); }
;

argument:
  expr				{ $$ = build_argument(p, @$, NO_NAME, $1); }
| name literal			{ $$ = build_argument(p, @$, $1, $2); }
| name "=" expr			{ $$ = build_argument(p, @$, $1, $3); }
;

selection:
  selector			{ $$ = (ast_arguments){$1, $1}; }
| selection "," selector	{ $$ = $1; LIST_APPEND($$, $3); }
;

selector:
  option_word "=" expr		{ $$ = build_argument(p, @$, $1.name, $3); }
| "where" expr			{ $$ = build_where(p, @$, $1.name, $2); }
;

/*
 * Keywords are names wherever the grammar expects no keyword: each of these rules leaves out those
 * that mean something in its place.
 */
name:
  NAME				{ $$ = $1.name; }
| keyword			{ $$ = $1.name; }
| TYPE				{ $$ = $1.name; }
| soft_type			{ $$ = $1.name; }
| "glimpse"			{ $$ = $1.name; }
| "symbol"			{ $$ = $1.name; }
| "where"			{ $$ = $1.name; }
;

typeless_word: NAME | keyword | "glimpse" | "symbol" | "where";
plain_word: NAME | keyword | TYPE | soft_type | "symbol" | "where";
option_word: NAME | keyword | TYPE | soft_type | "glimpse" | "symbol";
look_word: NAME | clause_word | TYPE | soft_type | "where";
tie_word: NAME | soft_type | "in";
matched_word: NAME | TYPE | soft_type | "symbol" | "refines" | "by" | "in";
soft_type: SOFT_TYPE | "object";
keyword:
  clause_word | "event" | "interval" | "assert" | "import" | "end" | "hypothesis" | "axis" | "order"
;
clause_word:
  "connection" | "Match" | "once" | "nested" | "metric" | "forwards" | "backwards" | "per"
| "refines" | "by" | "in"
;

%%

enum {
	MOST_EXPECTED = YYNTOKENS,
	SOME = 9,               /* alternatives that are listed at most */
};

/* The symbols that the parser expected. */
struct expected {
	yysymbol_kind_t kinds[MOST_EXPECTED];
	int n;
};

static bool is_expected(const struct expected *e, yysymbol_kind_t kind)
{
	for (int i = 0; i < e->n; i++)
		if (e->kinds[i] == kind)
			return true;
	return false;
}

static bool begins_item(yysymbol_kind_t kind)
{
	return kind == YYSYMBOL_EVENT || kind == YYSYMBOL_INTERVAL || kind == YYSYMBOL_ASSERT ||
	       kind == YYSYMBOL_HYPOTHESIS || kind == YYSYMBOL_AXIS || kind == YYSYMBOL_ORDER ||
	       kind == YYSYMBOL_OBJECT || kind == YYSYMBOL_IMPORT || kind == YYSYMBOL_END;
}

/* Returns whether a symbol may follow an operand. */
static bool belongs_to_expression(yysymbol_kind_t kind)
{
	return (kind >= YYSYMBOL_EQ && kind <= YYSYMBOL_OR) || kind == YYSYMBOL_PER ||
	       (kind >= YYSYMBOL_PLUS && kind <= YYSYMBOL_BRACKET);
}

static bool belongs_behind_bracket(yysymbol_kind_t kind)
{
	return kind == YYSYMBOL_BRACE || kind == YYSYMBOL_WHERE || kind == YYSYMBOL_MATCH ||
	       kind == YYSYMBOL_ONCE || kind == YYSYMBOL_NESTED;
}

/* Returns a better answer than a list of tokens to a frequent mistake, or NULL. */
static const char *frequent_mistake(const struct expected *e, yysymbol_kind_t kind)
{
	if (belongs_behind_bracket(kind) && is_expected(e, YYSYMBOL_IMPORT))
		return "a condition belongs between ']' and '='; "
		       "the ';' before it ended the interval";
	if (belongs_behind_bracket(kind) && is_expected(e, YYSYMBOL_METRIC))
		return "pairing and condition belong between ']' and '=', in this order";
	if (kind == YYSYMBOL_EQUALS && is_expected(e, YYSYMBOL_EQ))
		return "'=' is not an operator of expressions; compare values with '=='";
	if (kind >= YYSYMBOL_EQ && kind <= YYSYMBOL_GE && is_expected(e, YYSYMBOL_AND))
		return "comparisons cannot be chained; join two of them with '&&'";
	return NULL;
}

/* Returns the name of an expected symbol; for the symbols of a group, the same pointer. */
static const char *expected_text(const struct expected *e, yysymbol_kind_t kind)
{
	if (is_expected(e, YYSYMBOL_NAME) && is_expected(e, YYSYMBOL_NUMBER))
		return "an expression";
	if (is_expected(e, YYSYMBOL_NAME) && kind >= YYSYMBOL_NAME && kind <= YYSYMBOL_PER)
		return "a name";
	if (is_expected(e, YYSYMBOL_PLUS) && belongs_to_expression(kind))
		return "an operator";
	if (kind == YYSYMBOL_STRING)
		return "a string";
	return yysymbol_name(kind);
}

/* Returns whether an expected symbol is written as its text. */
static bool is_literal(const char *text, yysymbol_kind_t kind)
{
	return text == yysymbol_name(kind) && kind != YYSYMBOL_YYEOF && kind != YYSYMBOL_NUMBER &&
	       kind != YYSYMBOL_NAME && kind != YYSYMBOL_TYPE && kind != YYSYMBOL_SOFT_TYPE;
}

/* Prints "a, b or c" of the expected symbols; nothing if there are too many. */
static void expected_print(const struct expected *e, char *out, size_t size)
{
	const char *texts[SOME], *quotes[SOME];
	int n = 0;
	for (int i = 0; i < e->n; i++) {
		const char *text = expected_text(e, e->kinds[i]);
		bool known = false;
		for (int k = 0; k < n; k++)
			known = known || texts[k] == text;
		if (!known && n == SOME)
			return;
		if (known)
			continue;
		quotes[n] = is_literal(text, e->kinds[i]) ? "'" : "";
		texts[n++] = text;
	}
	for (int i = 0; i < n; i++) {
		const char *joint = i == 0 ? "; expected " : i == n - 1 ? " or " : ", ";
		int used = snprintf(out, size, "%s%s%s%s", joint, quotes[i], texts[i], quotes[i]);
		out += used;
		size -= (size_t)used;
	}
}

/* Returns the keyword that a word was probably meant to be, or NULL. */
static const char *meant_keyword(const struct expected *e, yysymbol_kind_t kind, struct span where)
{
	char word[40];
	const char *keywords[MOST_EXPECTED];
	size_t n = 0, length = where.end - where.start;
	if (kind != YYSYMBOL_NAME || length > 30)
		return NULL;
	snprintf(word, sizeof word, "%.*s", (int)length, where.source->text + where.start);
	for (int i = 0; i < e->n; i++)
		if (e->kinds[i] >= YYSYMBOL_GLIMPSE && e->kinds[i] <= YYSYMBOL_PER)
			keywords[n++] = yysymbol_name(e->kinds[i]);
	return nearest_name(word, keywords, n);
}

static void unexpected_error(struct parser *p, const struct expected *e, yysymbol_kind_t kind,
			     struct span where)
{
	char expected[SOME * 32] = "";
	expected_print(e, expected, sizeof expected);
	size_t length = where.end - where.start;
	const char *meant = meant_keyword(e, kind, where);
	if (meant)
		diag_error(p->diag, where, "unexpected '%.*s'; did you mean '%s'?", (int)length,
			   where.source->text + where.start, meant);
	else if (kind == YYSYMBOL_STRING || length == 0 || length > 40)
		diag_error(p->diag, where, "unexpected %s%s", yysymbol_name(kind), expected);
	else
		diag_error(p->diag, where, "unexpected '%.*s'%s", (int)length,
			   where.source->text + where.start, expected);
}

static int yyreport_syntax_error(const yypcontext_t *context, struct parser *p)
{
	struct expected e;
	e.n = yypcontext_expected_tokens(context, e.kinds, MOST_EXPECTED);
	yysymbol_kind_t kind = yypcontext_token(context);
	struct span where = *yypcontext_location(context);
	struct span before = {where.source, p->ends[0], p->ends[0]};
	bool word = kind == YYSYMBOL_NAME || kind == YYSYMBOL_SOFT_TYPE;
	bool unit = word && p->last[0] == TOKEN_NUMBER;
	const char *mistake = frequent_mistake(&e, kind);
	if (mistake)
		diag_error(p->diag, where, "%s", mistake);
	else if (unit && is_expected(&e, YYSYMBOL_PLUS))
		literal_unknown_unit(p, where);
	else if (is_expected(&e, YYSYMBOL_SEMICOLON) &&
		 (begins_item(kind) || kind == YYSYMBOL_YYEOF))
		diag_error(p->diag, before, "missing ';'");
	else
		unexpected_error(p, &e, kind, where);
	return 0;
}

/* Called by the parser when its stack is full; syntax errors go through yyreport_syntax_error(). */
static void grammar_error(struct span *where, struct parser *p, const char *message)
{
	(void)message;
	diag_error(p->diag, *where, "this is nested too deeply");
}
