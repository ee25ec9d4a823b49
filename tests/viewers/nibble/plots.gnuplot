# Drawn by nibble: data in nanoseconds, bytes and events.
$panel1_curve1 << end
# open(Transit)
0 1
10 2
15 1
16 0
20 1
40 0
100 0
end
$panel2_curve1 << end
# count(Send)
0 1
10 2
20 3
50 4
100 4
end
$panel2_curve2 << end
# count(Recv)
0 0
15 1
16 2
40 3
100 3
end
$panel3_curve1 << end
# rate(Send, window 50 ns)
0 0.06
50 0.06
50 0.02
100 0.02
end
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
set tmargin at screen 0.8933
set key on at screen 0.0807,0.9250 left top vertical maxrows 1
unset label
set label '{/:Bold*1.1 small, run}' at screen 0.0807,0.9853 left
set label '{/:Bold*1.1 Under way}' at screen 0.0807,0.9462 left
set label 'open intervals' at screen 0.0183,0.7889 center rotate by 90 noenhanced
unset logscale x
set xrange [0:100]
set xtics 10
set format x '%.0f'
unset logscale y
set yrange [0:2.12]
set ytics 1
set format y '%.0f'
plot \
	$panel1_curve1 using ($1/1):($2/1) with steps linecolor rgb '#0072b2' linewidth line dashtype 1 title 'open(Transit)'
set lmargin at screen 0.0807
set rmargin at screen 0.9756
set bmargin at screen 0.3643
set tmargin at screen 0.6023
set key on at screen 0.0807,0.6341 left top vertical maxrows 1
unset label
set label 'events' at screen 0.0183,0.4833 center rotate by 90 noenhanced
unset logscale x
set xrange [0:100]
set xtics 10
set format x '%.0f'
unset logscale y
set yrange [0:4.24]
set ytics 1
set format y '%.0f'
plot \
	$panel2_curve1 using ($1/1):($2/1) with steps linecolor rgb '#0072b2' linewidth line dashtype 1 title 'count(Send)', \
	$panel2_curve2 using ($1/1):($2/1) with steps linecolor rgb '#d55e00' linewidth line dashtype 1 title 'count(Recv)'
set lmargin at screen 0.0807
set rmargin at screen 0.9756
set bmargin at screen 0.0750
set tmargin at screen 0.2844
set key off
unset label
set label '{/:Bold*1.1 rate(Send, window 50 ns)}' at screen 0.0807,0.3056 left
set label 'time (ns)' at screen 0.5281,0.0196 center noenhanced
set label 'events/s (millions)' at screen 0.0183,0.1797 center rotate by 90 noenhanced
unset logscale x
set xrange [0:100]
set xtics 10
set format x '%.0f'
unset logscale y
set yrange [0:62.4]
set ytics 10
set format y '%.0f'
plot \
	$panel3_curve1 using ($1/1):($2/0.001) with lines linecolor rgb '#0072b2' linewidth line dashtype 1 notitle
unset multiplot
