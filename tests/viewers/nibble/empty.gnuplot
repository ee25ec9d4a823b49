# Drawn by nibble: data in nanoseconds, bytes and events.
$panel1_curve1 << end
# time(Never)
0 NaN 0
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
set tmargin at screen 0.9405
set key off
unset label
set label '{/:Bold*1.1 time(Never)}' at screen 0.0788,0.9681 left
set label 'time (ns)' at screen 0.5275,0.0255 center noenhanced
set label 'duration (ns)' at screen 0.0179,0.5191 center rotate by 90 noenhanced
unset logscale x
set xrange [0:100]
set xtics 10
set format x '%.0f'
unset logscale y
set yrange [0:1.06]
set ytics 1
set format y '%.0f'
plot \
	$panel1_curve1 using ($1/1):($2/1) with points pointtype 7 pointsize 0.45 linecolor rgb '#0072b2' notitle
