set yrange [3:0]
set xrange [0:100]
set title "Graphs of Two"
set key
set ylabel "Systems"
set xlabel "Speaker Word Error Rate (%)"
set ytics ("improved" 1,"baseline" 2)
plot "g.grange2.sys.mean" using 2:1 title "Mean Speaker Word Error Rate (%)" with lines,\
     "g.grange2.sys.median" using 2:1 title "Median Speaker Word Error Rate (%)" with lines,\
     "g.grange2.sys.dat" using 2:1 "%lf%lf" title "anna",\
     "g.grange2.sys.dat" using 2:1 "%lf%*s%lf" title "ben",\
     "g.grange2.sys.dat" using 2:1 "%lf%*s%*s%lf" title "carla",\
     "g.grange2.sys.dat" using 2:1 "%lf%*s%*s%*s%lf" title "dan"
