["glimpse" "graze" "end" "import" "order" "axis" "event" "interval" "assert" "hypothesis"] @keyword
["symbol" "connection" "where" "match" "once" "nested" "metric" "refines" "by" "in" "per" "forwards" "backwards"] @keyword
(object "object" @keyword)
(type) @type.builtin
(soft_type) @type.builtin
(event name: (identifier) @function)
(interval name: (identifier) @type)
(block name: (identifier) @module)
(member name: (identifier) @variable.parameter)
(metric name: (identifier) @property)
(style name: (identifier) @attribute)
(call function: (identifier) @function.call)
(member_of name: (identifier) @property)
(comment) @comment
(string) @string
(escape) @string.escape
(number) @number
(unit) @type
["->" "<-" "==" "!=" "<" "<=" ">" ">=" "&&" "||" "!" "+" "-" "*" "/" "%" "="] @operator
["(" ")" "[" "]" "{" "}"] @punctuation.bracket
[";" ":" "," "."] @punctuation.delimiter
