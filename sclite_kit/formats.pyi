from formats import *
