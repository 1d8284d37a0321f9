set yrange [3:0]
set xrange [0:100]
set title "Graphs of Two"
set key
set ylabel "Systems"
set xlabel "Speaker Word Error Rate (%)"
set ytics ("improved" 1,"baseline" 2)
plot "g.grange.sys.mean" using 2:1 title "Mean Speaker Word Error Rate (%)" with lines,"g.grange.sys.median" using 2:1 title "Median Speaker Word Error Rate (%)" with lines,"g.grange.sys.dat" using 2:1 title "Individual Speaker Word Error Rate (%)"
