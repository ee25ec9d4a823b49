# Drawn by nibble: data in nanoseconds, bytes and events.
$panel1_curve1 << end
# count(Send)
0 1
10 2
20 3
50 4
100 4
end
$panel1_curve2 << end
# count(Recv)
0 0
15 1
16 2
40 3
100 3
end
$panel1_curve3 << end
# count(Send) - count(Recv)
0 1
10 2
15 1
16 0
20 1
40 0
50 1
100 1
end
set encoding utf8
set border 3 linecolor rgb '#555555' linewidth 1
set tics out nomirror textcolor rgb '#333333'
set grid xtics ytics linecolor rgb '#e4e4e4' linetype 1 linewidth 1
set style data lines
set style fill solid 0.75 border rgb '#ffffff'
set key Left reverse samplen 2 spacing 1 noenhanced
line = 1.5
set lmargin at screen 0.0788
set rmargin at screen 0.9761
set bmargin at screen 0.0977
set tmargin at screen 0.8991
set key on at screen 0.0788,0.9405 left top vertical maxrows 1
unset label
set label '{/:Bold*1.1 small, run}' at screen 0.0788,0.9681 left
set label 'time (ns)' at screen 0.5275,0.0255 center noenhanced
set label 'events' at screen 0.0179,0.4984 center rotate by 90 noenhanced
unset logscale x
set xrange [0:100]
set xtics 10
set format x '%.0f'
unset logscale y
set yrange [0:4.24]
set ytics 1
set format y '%.0f'
plot \
	$panel1_curve1 using ($1/1):($2/1) with steps linecolor rgb '#0072b2' linewidth line dashtype 1 title 'count(Send)', \
	$panel1_curve2 using ($1/1):($2/1) with steps linecolor rgb '#d55e00' linewidth line dashtype 1 title 'count(Recv)', \
	$panel1_curve3 using ($1/1):($2/1) with steps linecolor rgb '#009e73' linewidth line dashtype 1 title 'count(Send) - count(Recv)'
