/* The language of Glimpse's specifications; grammar/spec.y is the parser of Glimpse itself. */

/* Keywords are written in lower case or capitalised, and are names wherever the grammar expects no keyword. */
const keyword = word =>
  alias(new RegExp(`[${word[0].toUpperCase()}${word[0]}]${word.slice(1)}`), word);
const some = (rule, between) => seq(rule, repeat(seq(between, rule)));

const OR = 1, AND = 2, COMPARE = 3, ADD = 4, MULTIPLY = 5, UNARY = 6, PER = 7, MEMBER = 8;

module.exports = grammar({
  name: 'glimpse',
  word: $ => $.identifier,
  extras: $ => [/[\s\uFEFF]/, $.comment],

  rules: {
    source_file: $ => repeat1($.block),

    block: $ => seq(
      choice(keyword('glimpse'), keyword('graze')), field('name', $._name), repeat($._item),
      keyword('end'), optional(field('end_name', $._name)), optional('.')),

    _item: $ => choice($.event, $.interval, $.assertion, $.import, $.hypothesis, $.axis, $.order,
      $.object),

    event: $ => seq(
      keyword('event'), field('name', $._name),
      optional(seq('(', optional($._members), ')')), optional(seq('=', repeat($._look))), ';'),
    _members: $ => seq($.member, repeat(seq(optional(','), $.member))),
    /* "code site" is a member with a type, and so is "code address"; code alone is the name of one */
    member: $ => choice(
      field('name', $._name),
      seq(field('type', $.type), field('name', $._name)),
      prec(1, seq(field('type', $.soft_type), field('name', choice(
        $._name, alias($.type, $.identifier), alias($.soft_type, $.identifier))))),
      field('name', alias($.soft_type, $.identifier))),
    type: $ => choice(
      keyword('address'), keyword('double'), keyword('int'), keyword('long'), keyword('string'),
      keyword('uint'), keyword('ulong')),
    soft_type: $ => choice(keyword('code'), keyword('code32'), keyword('object')),

    _look: $ => choice(
      seq($._name, repeat($.string)),
      $.styles,
      seq(choice(keyword('symbol'), keyword('connection')), '(', repeat($._look), ')')),
    styles: $ => seq('(', some($.style, optional(',')), ')'),
    style: $ => seq(field('name', $._name), field('value', repeat1($.string))),

    interval: $ => seq(
      keyword('interval'), field('name', $._name),
      '[', $.end, $.direction, $.end, ']', repeat($._pairing), optional($._condition),
      repeat(choice(seq('=', repeat($._look)), $.metric)), ';'),
    end: $ => seq(
      optional(seq(field('alias', $._name), ':')), field('of', $._name),
      optional(seq('.', field('moment', $._name)))),
    direction: _ => choice('->', '<-', ',', keyword('forwards'), keyword('backwards')),
    _pairing: $ => choice(
      seq(keyword('match'), optional(some($._name, ','))), keyword('once'), keyword('nested')),
    _condition: $ => choice(seq('{', $._expression, '}'), seq(keyword('where'), $._expression)),
    metric: $ => seq(keyword('metric'), field('name', $._name), '=', $._expression),

    assertion: $ => seq(
      keyword('assert'), optional(seq(field('name', $._name), ':')), $._expression, ';'),
    import: $ => seq(keyword('import'), $.string, ';'),
    hypothesis: $ => seq(
      keyword('hypothesis'), field('name', $._name),
      optional(seq(keyword('refines'), some($._name, ','))), optional($._condition),
      repeat(seq('=', repeat($._look))), ';'),
    axis: $ => seq(
      keyword('axis'), field('name', $._name), keyword('by'), $._name, '.', $._name, ';'),
    order: $ => seq(keyword('order'), some($.string, ','), ';'),
    object: $ => seq(
      keyword('object'), optional(field('name', $.string)), keyword('in'), some($.string, ','),
      repeat(seq('=', repeat($._look))), ';'),

    _expression: $ => choice(
      $.number, $.string, $._name, $.call, $.parentheses, $.unary, $.binary, $.member_of, $.select,
      $.per),
    parentheses: $ => seq('(', $._expression, ')'),
    call: $ => prec(MEMBER, seq(
      field('function', $._name), '(', optional(some($.argument, ',')), ')')),
    argument: $ => choice(
      $._expression,
      seq(field('name', $._name), choice($.number, $.string)),
      seq(field('name', $._name), '=', $._expression)),
    unary: $ => prec(UNARY, seq(choice('!', '-'), $._expression)),
    binary: $ => choice(...[
      ['||', OR], ['&&', AND], ['==', COMPARE], ['!=', COMPARE], ['<', COMPARE], ['<=', COMPARE],
      ['>', COMPARE], ['>=', COMPARE], ['+', ADD], ['-', ADD], ['*', MULTIPLY], ['/', MULTIPLY],
      ['%', MULTIPLY],
    ].map(([sign, rank]) => prec.left(rank, seq($._expression, sign, $._expression)))),
    member_of: $ => prec(MEMBER, seq($._expression, '.', field('name', $._name))),
    select: $ => prec(PER, seq($._expression, '[', some($.selector, ','), ']')),
    selector: $ => choice(
      seq(field('name', $._name), '=', $._expression), seq(keyword('where'), $._expression)),
    per: $ => prec.left(PER, seq($._expression, keyword('per'), $._expression)),

    number: $ => prec.right(seq(
      choice(/[0-9]+(\.[0-9]+)?([eE][+-]?[0-9]+)?/, /0[xX][0-9A-Fa-f]+/), optional($.unit))),
    unit: _ => choice('ns', 'us', 'ms', 's', 'min', 'B', 'KB', 'KiB', 'MB', 'MiB', 'GB', 'GiB'),
    string: $ => seq(
      '"', repeat(choice(token.immediate(prec(1, /[^"\\\n]+/)), $.escape)), token.immediate('"')),
    escape: _ => token.immediate(/\\(x[0-9A-Fa-f]{2}|[nrt"\\])/),

    _name: $ => choice($.identifier, alias($.quantile, $.identifier)),
    identifier: _ => /[A-Za-z_][A-Za-z0-9_]*/,
    quantile: _ => /[pP][0-9]+\.[0-9]+/,
    comment: _ => token(choice(
      /\/\/[^\n]*/, /#[^\n]*/, seq('/*', /[^*]*\*+([^/*][^*]*\*+)*/, '/'))),
  },
});
