set yrange [5:0]
set xrange [0:100]
set title "Graphs of Two"
set key
set ylabel "Speaker ID"
set xlabel "Speaker Word Error Rate (%)"
set ytics ("anna" 1,"carla" 2,"ben" 3,"dan" 4)
plot "g.grange.spk.mean" using 2:1 title "Mean Speaker Word Error Rate (%)" with lines,"g.grange.spk.median" using 2:1 title "Median Speaker Word Error Rate (%)" with lines,"g.grange.spk.dat" using 2:1 title "Individual Speaker Word Error Rate (%)"
