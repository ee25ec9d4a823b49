# Drawn by nibble: data in nanoseconds, bytes and events.
$panel1_curve1 << end
# rate(Send, window 20 ns)
0 0.1
20 0.1
20 0.05
40 0.05
40 0.05
60 0.05
60 0
80 0
80 0
100 0
end
$panel2_curve1 << end
# time(Transit)
0 15
10 6
20 20
end
$panel3_curve1 << end
# hist(Send.seq)
1 1 1
2 1 1
3 1 1
4 1 1
end
set terminal svg size 1200,900 font 'sans-serif,14.7' background rgb 'white'
set encoding utf8
set border 3 linecolor rgb '#555555' linewidth 1
set tics out nomirror textcolor rgb '#333333'
set grid xtics ytics linecolor rgb '#e4e4e4' linetype 1 linewidth 1
set style data lines
set style fill solid 0.75 border rgb '#ffffff'
set key Left reverse samplen 2 spacing 1 noenhanced
line = 2
set multiplot
set lmargin at screen 0.0807
set rmargin at screen 0.9756
set bmargin at screen 0.6846
set tmargin at screen 0.9250
set key off
unset label
set label '{/:Bold*1.1 it''s \{one\} page}' at screen 0.0807,0.9853 left
set label '{/:Bold*1.1 rate(Send, window 20 ns)}' at screen 0.0807,0.9462 left
set label 'events/s (millions)' at screen 0.0183,0.8048 center rotate by 90 noenhanced
unset logscale x
set xrange [0:100]
set xtics 10
set format x '%.0f'
unset logscale y
set yrange [0:106.00000000000001]
set ytics 20
set format y '%.0f'
plot \
	$panel1_curve1 using ($1/1):($2/0.001) with lines linecolor rgb '#0072b2' linewidth line dashtype 1 notitle
set lmargin at screen 0.0807
set rmargin at screen 0.9756
set bmargin at screen 0.3953
set tmargin at screen 0.6047
set key off
unset label
set label '{/:Bold*1.1 time(Transit)}' at screen 0.0807,0.6259 left
set label 'time (ns)' at screen 0.5281,0.3399 center noenhanced
set label 'duration (ns)' at screen 0.0183,0.5000 center rotate by 90 noenhanced
unset logscale x
set xrange [0:100]
set xtics 10
set format x '%.0f'
unset logscale y
set yrange [0:20.84]
set ytics 5
set format y '%.0f'
plot \
	$panel2_curve1 using ($1/1):($2/1) with points pointtype 7 pointsize 0.45 linecolor rgb '#0072b2' notitle
set lmargin at screen 0.0807
set rmargin at screen 0.9756
set bmargin at screen 0.0750
set tmargin at screen 0.2844
set key off
unset label
set label '{/:Bold*1.1 hist(Send.seq)}' at screen 0.0807,0.3056 left
set label 'seq' at screen 0.5281,0.0196 center noenhanced
set label 'events' at screen 0.0183,0.1797 center rotate by 90 noenhanced
unset logscale x
set xrange [0.5:4.5]
set xtics 0.5
set format x '%.1f'
unset logscale y
set yrange [0:1.06]
set ytics 1
set format y '%.0f'
plot \
	$panel3_curve1 using ($1/1):($2/1):($3/1) with boxes linecolor rgb '#0072b2' notitle
unset multiplot
