# Rows: by how much the replay without changes misses the recorded run, for real programs with the default probes.

. "${src:?set by bench/run}/bench/script.sh"
need_programs glimpse
work_directory identity
export LC_ALL=C
megabytes=${IDENTITY_MEGABYTES:-40} repeats=${IDENTITY_REPEATS:-3}

# missing ROW PACKAGE TOOL: says so
missing() {
	command -v "$3" >/dev/null && return 1
	echo "bench: no row for the replay of $1: apt install $2" >&2
}

# record PROGRAM...: into a new directory $work/run.N. A log of the program's own, $own.PID, is not the probes': its threads would
# be there twice.
record() {
	recorded=$((recorded + 1))
	"$build/glimpse" record -q -o "$work/run.$recorded" -- "$@" >"$work/output" 2>&1 || { cat "$work/output" >&2; exit 2; }
	[ -z "$own" ] || rm -rf "$work/run.$recorded/$own".*
}

# row NAME: of the recorded runs the one with the median; a refusal counts as the largest error
row() {
	for directory in "$work"/run.*; do
		ask_whatif "$directory"
		echo "${answer:-- $refusal}" | awk '{ off = $1 == "-" ? 1000 : $2 / $1 - 1; printf "%.6f %s\n", (off < 0 ? -off : off), $0 }'
	done | sort -n >"$work/list"
	sed -n "$((($(wc -l <"$work/list") + 1) / 2))p" "$work/list" >"$work/chosen"
	read -r off time replayed rest <"$work/chosen"
	# shellcheck disable=SC2034 # for log_prediction: the predicted run is the replayed one
	case $time in
	-) kind=identity answer='' refusal="$replayed $rest" time=- ;;
	*) kind=identity answer="$time $replayed $time $replayed - -" ;;
	esac
	log_prediction "$1" "$time"
	tail -n 1 "$PREDICTIONS" | awk -F '\t' -v off="$off" -v runs="$(wc -l <"$work/list")" -v misses="$work/misses" '
		$4 == "refused" { printf "replay unchanged of %s: off by, %%\t-\t<= 3\trefused: %s\n", $2, $12; next }
		{
			printf "replay unchanged of %s: off by, %%\t%.2f\t<= 3\t%.3f s, replayed %.3f s; median of %d runs\n",
				$2, 100 * off, $5 / 1e9, $6 / 1e9, runs
			print 100 * off >>misses
		}'
	rm -rf "$work"/run.*
	recorded=0
}

# command_row NAME PACKAGE PROGRAM...
command_row() {
	local name=$1 package=$2
	shift 2
	missing "$name" "$package" "$1" && return
	for _ in $(seq "$repeats"); do
		record "$@"
	done
	row "$name"
}

# until_answer COMMAND...: tries it for ten seconds, until it succeeds
until_answer() {
	for _ in $(seq 100); do
		"$@" >/dev/null 2>&1 && return
		sleep 0.1
	done
}

# Servers under load: recorded until the load has told them to end.
redis_row() {
	missing redis 'redis-server redis-tools' redis-server && return
	missing redis 'redis-server redis-tools' redis-benchmark && return
	for _ in $(seq "$repeats"); do
		(
			until_answer redis-cli -s "$work/socket" ping
			redis-benchmark -s "$work/socket" -n 40000 -c 20 -t set,get,lpush -q
			redis-cli -s "$work/socket" shutdown nosave
		) >"$work/load" 2>&1 &
		record redis-server --port 0 --unixsocket "$work/socket" --io-threads 2 --save '' --dir "$work"
		wait
	done
	row 'redis under load'
}

nginx_row() {
	missing nginx 'nginx-light apache2-utils' nginx && return
	missing nginx 'nginx-light apache2-utils' ab && return
	port=${IDENTITY_PORT:-28080}
	cat >"$work/nginx.conf" <<-END
		user $(id -un);
		worker_processes 2;
		daemon off;
		pid $work/nginx.pid;
		error_log $work/nginx.errors;
		events { }
		http {
			access_log off;
			default_type text/html;
			client_body_temp_path $work/body;
			proxy_temp_path $work/proxy;
			fastcgi_temp_path $work/fastcgi;
			uwsgi_temp_path $work/uwsgi;
			scgi_temp_path $work/scgi;
			gzip on;
			gzip_min_length 1;
			server { listen 127.0.0.1:$port; root $work/pages; }
		}
	END
	mkdir "$work/pages"
	head -c 20000 "$work/words" >"$work/pages/index.html"
	for _ in $(seq "$repeats"); do
		(
			until_answer ab -n 1 "http://127.0.0.1:$port/"
			ab -q -n 4000 -c 10 -H 'Accept-Encoding: gzip' "http://127.0.0.1:$port/"
			kill -QUIT "$(cat "$work/nginx.pid")"
		) >"$work/load" 2>&1 &
		record nginx -c "$work/nginx.conf" -e "$work/nginx.errors"
		wait
	done
	row 'nginx under load'
}

# One thread: a table, its index, and a join.
sqlite_row() {
	cat >"$work/query" <<-END
		create table words(id integer primary key, word text, length integer);
		with recursive n(i) as (select 1 union all select i + 1 from n where i < $((megabytes * 10000)))
			insert into words select i, hex(i * 7919 % 100003), i % 31 from n;
		create index by_word on words(word);
		select count(*), sum(a.length * b.length) from words a join words b on a.word = b.word and a.id < b.id;
	END
	command_row sqlite3 sqlite3 sqlite3 :memory: ".read $work/query"
}

# Threads that share an interpreter: sums of bytes need its lock, digests release it.
python_row() {
	cat >"$work/threads.py" <<-END
		import hashlib, sys, threading
		data = open(sys.argv[1], "rb").read()
		def work(k):
		    for part in range(k, 40, 4):
		        block = data[part * len(data) // 40:(part + 1) * len(data) // 40]
		        hashlib.sha256(block * 4).digest()
		        sum(block)
		threads = [threading.Thread(target=work, args=(k,)) for k in range(4)]
		for t in threads: t.start()
		for t in threads: t.join()
	END
	command_row 'python3 with four threads' python3 python3 "$work/threads.py" "$work/input"
}

# Threads that encode frames, of which each waits for rows of the one before
x264_row() {
	# frames of 320 x 180 pixels, 1.5 bytes each
	head -c "$((megabytes * 1000000 / 86400 * 86400))" "$work/input" >"$work/frames"
	command_row x264 x264 x264 --quiet --no-progress --threads 4 --preset veryfast --input-res 320x180 --demuxer raw \
		--fps 25 -o "$work/frames.264" "$work/frames"
}

# Many processes: each compresses one of twelve files, two at a time.
processes_row() {
	mkdir "$work/files"
	split -n 12 "$work/input" "$work/files/"
	# shellcheck disable=SC2016 # the recorded shell expands it
	command_row 'xargs -P2 gzip' 'findutils gzip' sh -c 'ls "$1"/?? | xargs -P 2 -n 1 gzip -k -f' sh "$work/files"
}

# Two processes and a pipe
pipe_row() {
	# shellcheck disable=SC2016 # the recorded shell expands it
	command_row 'tar | gzip' 'tar gzip' sh -c 'tar -c -f - "$1" | gzip >"$1.tar.gz"' sh "$work/input"
}

solver_row() {
	${CC:-cc} -O2 -fopenmp -o "$work/solver" "$src/bench/solver.c" 2>/dev/null ||
		{ echo 'bench: no row for the replay of an OpenMP solver: the compiler has no -fopenmp' >&2; return; }
	command_row 'an OpenMP solver' gcc "$work/solver"
}

java_row() {
	if [ ! -f "$build/glimpse.jar" ] || ! command -v javac >/dev/null; then
		echo 'bench: no row for the replay of HttpQueue: configured without a JDK (apt install openjdk-17-jdk-headless)' >&2
		return
	fi
	mkdir "$work/java"
	"$build/glimpsec" -l java -o "$work/java" "$src/examples/httpqueue/httpqueue.spec" &&
		javac -cp "$build/glimpse.jar" -d "$work/java" "$work"/java/*.java "$src"/examples/httpqueue/*.java >&2 || exit 2
	own=HttpQueue
	command_row 'HttpQueue in Java' openjdk-17-jre-headless java -cp "$build/glimpse.jar:$work/java" HttpQueue
	own=''
}

recorded=0 own=''
sh "$src/examples/pgz/make-input" "$work/input" "$megabytes" || exit 2
tr -c 'a-z\n' '\n' <"$work/input" >"$work/words"
cat "$work/words" "$work/words" "$work/words" "$work/words" | head -n $((megabytes * 80000)) >"$work/lines"
command_row pigz pigz pigz -k -f "$work/input"
command_row pbzip2 pbzip2 pbzip2 -k -f -q "$work/input"
command_row 'xz -T4' xz-utils xz -1 -k -f -T4 --block-size=1MiB "$work/input"
command_row 'zstd -T4' zstd zstd -q -9 -k -f -T4 -B1MiB "$work/input"
command_row 'sort --parallel=4' coreutils sort --parallel=4 -S 100M -o "$work/sorted" "$work/lines"
command_row lbzip2 lbzip2 lbzip2 -n 2 -k -f "$work/input"
command_row plzip plzip plzip -1 -n 2 -B 1MiB -k -f "$work/input"
command_row pixz pixz pixz -1 -p 2 -k "$work/input" "$work/input.pixz"
command_row 7z p7zip-full 7z a -bd -y -mx=1 -mmt=4 "$work/input.7z" "$work/input"
x264_row
redis_row
nginx_row
sqlite_row
python_row
processes_row
pipe_row
solver_row
java_row
${CC:-cc} -O1 -o "$work/pool" "$src/bench/spinning_pool.c" -lpthread || exit 2
command_row 'a pool with spinning locks' gcc "$work/pool"
touch "$work/misses"
sort -n "$work/misses" | awk '{ x[NR] = $1 }
	END {
		if (!NR)
			exit
		median = NR % 2 ? x[(NR + 1) / 2] : (x[NR / 2] + x[NR / 2 + 1]) / 2
		printf "replay unchanged: off by, in the median, %%\t%.2f\t<= 0.5\tof %d programs\n", median, NR
		printf "replay unchanged: off by, at worst, %%\t%.2f\t<= 3\t\n", x[NR] }'
