# Drawn by nibble: data in nanoseconds, bytes and events.
$panel1_curve1 << end
# hist(Transit.time, bins 3)
7.481404746557165 1 2.96280949311433
11.175734247378863 0 4.425849508529064
16.694329500821695 2 6.6113409983566065
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
set label '{/:Bold*1.1 hist(Transit.time, bins 3)}' at screen 0.0788,0.9681 left
set label 'duration (ns)' at screen 0.5275,0.0255 center noenhanced
set label 'intervals' at screen 0.0179,0.5191 center rotate by 90 noenhanced
set logscale x
set xrange [6:20]
set xtics (6, 7, 8, 9, 10, 20)
set format x '%g'
set logscale y
set yrange [0.7:2.5]
set ytics (0.7, 0.8, 0.9, 1, 2)
set format y '%g'
plot \
	$panel1_curve1 using ($1/1):($2/1):($3/1) with boxes linecolor rgb '#0072b2' notitle
