# What make builds in same.test: children that fork and exec, two at a time; the last of them fails.
all: one two three four
	@cat one two three four
	@exit 9
one two three four:
	@echo $@ >$@ && printf '%s\n' c b a | sort | tr '\n' ' ' >>$@ && sh -c 'expr 6 \* 7 >>$@'
