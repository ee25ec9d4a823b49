/dev/fd/3: line 127: $')\nsub(f, ': command not found
