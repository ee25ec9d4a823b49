# editors: highlighting of specifications. Vim finds what is installed here, with the prefix /usr; the rest is in the
# tarball.

vimsyntaxdir = $(datadir)/vim/vimfiles/syntax
dist_vimsyntax_DATA = editors/vim/syntax/glimpse.vim
vimftdetectdir = $(datadir)/vim/vimfiles/ftdetect
dist_vimftdetect_DATA = editors/vim/ftdetect/glimpse.vim
