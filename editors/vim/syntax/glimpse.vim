" Vim syntax file
" Language: specifications of Glimpse (doc/language.md)

if exists('b:current_syntax')
	finish
endif
let s:cpo = &cpo
set cpo&vim

syn case match
" Whatever no other group takes is not of the language.
syn match glimpseError '[^[:space:]]'
syn match glimpseOperator '->\|<-\|[=!<>]=\|&&\|||\|[-!+*/%=<>]'
syn match glimpseDelimiter '[();:,.{}[\]]'
syn match glimpseName '\h\w*'
syn match glimpseName '\<[pP]\d\+\.\d\+\>'
syn match glimpseNumber '\<\d\+\%(\.\d\+\)\=\%([eE][+-]\=\d\+\)\=\%(\s*\%(ns\|us\|ms\|s\|min\|B\|KB\|KiB\|MB\|MiB\|GB\|GiB\)\>\)\='
syn match glimpseNumber '\<0[xX]\x\+'

syn keyword glimpseStatement glimpse Glimpse graze Graze end End import Import order Order axis Axis
syn keyword glimpseStatement event Event interval Interval assert Assert hypothesis Hypothesis
syn keyword glimpseClause symbol Symbol connection Connection where Where match Match once Once nested Nested
syn keyword glimpseClause metric Metric refines Refines by By in In per Per forwards Forwards backwards Backwards
syn keyword glimpseType address Address code Code code32 Code32 double Double int Int long Long object Object
syn keyword glimpseType string String uint Uint ulong Ulong

syn match glimpseEscape contained '\\\%(x\x\x\|[nrt"\\]\)'
syn match glimpseBadEscape contained '\\\%(x\x\x\|[nrt"\\]\)\@!.\='
syn region glimpseString start='"' end='"' oneline contains=glimpseEscape,glimpseBadEscape
syn keyword glimpseTodo contained TODO FIXME XXX
syn match glimpseComment '//.*' contains=glimpseTodo,@Spell
syn match glimpseComment '#.*' contains=glimpseTodo,@Spell
syn region glimpseComment start='/\*' end='\*/' contains=glimpseTodo,@Spell
syn sync ccomment glimpseComment

hi def link glimpseError Error
hi def link glimpseBadEscape Error
hi def link glimpseOperator Operator
hi def link glimpseDelimiter Delimiter
hi def link glimpseNumber Number
hi def link glimpseStatement Statement
hi def link glimpseClause Keyword
hi def link glimpseType Type
hi def link glimpseEscape SpecialChar
hi def link glimpseString String
hi def link glimpseTodo Todo
hi def link glimpseComment Comment

let b:current_syntax = 'glimpse'
let &cpo = s:cpo
unlet s:cpo
