set yrange [3:0]
set xrange [0:100]
set title ""
set key
set ylabel "Systems"
set xlabel "Speaker Word Error Rate (%)"
set ytics ("improved" 1,"baseline" 2)
plot "STATS.sys.mean" using 2:1 title "Mean Speaker Word Error Rate (%)" with lines,\
     "STATS.sys.median" using 2:1 title "Median Speaker Word Error Rate (%)" with lines,\
     "STATS.sys.dat" using 2:1 "%lf%lf" title "anna",\
     "STATS.sys.dat" using 2:1 "%lf%*s%lf" title "ben",\
     "STATS.sys.dat" using 2:1 "%lf%*s%*s%lf" title "carla",\
     "STATS.sys.dat" using 2:1 "%lf%*s%*s%*s%lf" title "dan"
