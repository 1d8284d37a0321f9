set yrange [3:0]
set xrange [0:100]
set title ""
set key
set ylabel "Speaker ID"
set xlabel "Speaker Word Error Rate (%)"
set ytics ("other" 1,"s" 2)
plot "w.grange.spk.mean" using 2:1 title "Mean Speaker Word Error Rate (%)" with lines,"w.grange.spk.median" using 2:1 title "Median Speaker Word Error Rate (%)" with lines,"w.grange.spk.dat" using 2:1 title "Individual Speaker Word Error Rate (%)"
