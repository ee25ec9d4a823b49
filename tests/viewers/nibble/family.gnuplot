# Drawn by nibble: data in nanoseconds, bytes and events.
$panel1_curve1 << end
# count(Send) per seq, seq=1
0 1
100 1
end
$panel1_curve2 << end
# count(Send) per seq, seq=2
0 0
10 1
100 1
end
$panel1_curve3 << end
# count(Send) per seq, seq=3
0 0
20 1
100 1
end
$panel1_curve4 << end
# count(Send) per seq, seq=4
0 0
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
set lmargin at screen 0.1045
set rmargin at screen 0.9683
set bmargin at screen 0.1295
set tmargin at screen 0.8663
set key on at screen 0.1045,0.9212 left top vertical maxrows 1
unset label
set label '{/:Bold*1.1 count(Send) per seq}' at screen 0.1045,0.9578 left
set label 'time (ns)' at screen 0.5364,0.0338 center noenhanced
set label 'events' at screen 0.0238,0.4979 center rotate by 90 noenhanced
unset logscale x
set xrange [0:100]
set xtics 10
set format x '%.0f'
set logscale y
set yrange [0.8:12.5]
set ytics (1, 2, 5, 10)
set format y '%g'
plot \
	$panel1_curve1 using ($1/1):($2/1) with steps linecolor rgb '#0072b2' linewidth line dashtype 1 title 'seq=1', \
	$panel1_curve2 using ($1/1):($2/1) with steps linecolor rgb '#d55e00' linewidth line dashtype 1 title 'seq=2', \
	$panel1_curve3 using ($1/1):($2/1) with steps linecolor rgb '#009e73' linewidth line dashtype 1 title 'seq=3', \
	$panel1_curve4 using ($1/1):($2/1) with steps linecolor rgb '#cc79a7' linewidth line dashtype 1 title 'seq=4'
