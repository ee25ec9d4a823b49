" Specifications of Glimpse. Those of RPM have the same suffix: a specification has a line that begins its block.
autocmd BufNewFile,BufRead *.spec
	\ if join(getline(1, 200), "\n") =~# '\%(^\|\n\)\s*\%([Gg]limpse\|[Gg]raze\)\s\+\h\w*\s*\%(\n\|$\|//\|/\*\|#\|\%([Ee]vent\|[Ii]nterval\|[Ii]mport\|[Ee]nd\)\>\)'
	\ | set filetype=glimpse
	\ | endif
