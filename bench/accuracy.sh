# Rows: the targets of predictions, over all that the scripts before this one made in the same run of the bench.

. "${src:?set by bench/run}/bench/script.sh"
need_tools 'the accuracy of all predictions' python3 python3
[ -s "$PREDICTIONS" ] || { echo 'bench: no row for the accuracy of all predictions: none was made' >&2; exit 0; }
exec python3 "$src/bench/accuracy.py" --rows "$PREDICTIONS"
