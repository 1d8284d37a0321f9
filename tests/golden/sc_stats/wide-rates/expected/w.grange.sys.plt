set yrange [3:0]
set xrange [0:100]
set title ""
set key
set ylabel "Systems"
set xlabel "Speaker Word Error Rate (%)"
set ytics ("system-b" 1,"system-a" 2)
plot "w.grange.sys.mean" using 2:1 title "Mean Speaker Word Error Rate (%)" with lines,"w.grange.sys.median" using 2:1 title "Median Speaker Word Error Rate (%)" with lines,"w.grange.sys.dat" using 2:1 title "Individual Speaker Word Error Rate (%)"
