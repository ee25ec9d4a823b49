" Writes to $OUT, of each file of $FILES, its type; each place that is wrong; and with $WORDS its words with
" their groups.
set nocompatible encoding=utf-8 fileencodings=utf-8 nomodeline
let &runtimepath = $EDITORS . '/vim,' . &runtimepath
filetype on
syntax on
let s:out = []
for s:file in readfile($FILES)
	execute 'edit' fnameescape(s:file)
	syntax sync fromstart
	call add(s:out, s:file . ' ' . &filetype)
	for s:line in range(1, line('$'))
		let s:text = getline(s:line)
		for s:column in range(1, len(s:text))
			let s:group = synIDattr(synID(s:line, s:column, 0), 'name')
			if s:group =~# '^glimpse\%(Error\|BadEscape\)$'
				call add(s:out, s:file . ':' . s:line . ':' . s:column . ': error')
			elseif $WORDS != '' && s:text[s:column - 1] =~# '\S' && (s:column == 1 || strpart(s:text, s:column - 2) =~# '^\%(\W\|\w\W\)')
				call add(s:out, matchstr(s:text, '\w\+\|\S', s:column - 1) . ' ' . s:group)
			endif
		endfor
	endfor
endfor
call writefile(s:out, $OUT)
qall!
