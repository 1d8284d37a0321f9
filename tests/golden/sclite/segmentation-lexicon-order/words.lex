de
ab

cd
abc	x
ea
b