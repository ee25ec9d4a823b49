# Drawn by nibble: data in nanoseconds, bytes and events.
$panel1_curve1 << end
# heat(Transit.time, window 50 ns, bins 3)
0 50 6 10.666666666666668 1
0 50 10.666666666666668 15.333333333333334 1
0 50 15.333333333333334 20 1
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
set rmargin at screen 0.9044
set bmargin at screen 0.0977
set tmargin at screen 0.9405
set key off
unset label
set label '{/:Bold*1.1 heat(Transit.time, window 50 ns, bins 3)}' at screen 0.0788,0.9681 left
set label 'time (ns)' at screen 0.4916,0.0255 center noenhanced
set label 'duration (ns)' at screen 0.0179,0.5191 center rotate by 90 noenhanced
unset logscale x
set xrange [0:100]
set xtics 10
set format x '%.0f'
unset logscale y
set yrange [0:20.84]
set ytics 1
set format y '%.0f'
set palette defined (0 '#bddf26', 1 '#93d641', 2 '#64c75e', 3 '#2dad7e', 4 '#269089', 5 '#2d728d', 6 '#3b5189', 7 '#422b74', 8 '#440154')
unset logscale cb
set cbrange [1:2]
set cbtics 1
set format cb '%g'
set style fill solid 1 noborder
set colorbox user origin screen 0.9164,0.0977 size screen 0.0143,0.8429 noborder
set label 'intervals' at screen 0.9821,0.5191 center rotate by 90 noenhanced
plot \
	$panel1_curve1 using (($1+$2)/2/1):(($3+$4)/2/1):($1/1):($2/1):($3/1):($4/1):5 with boxxyerror linecolor palette fillstyle solid noborder notitle
