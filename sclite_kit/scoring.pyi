from scoring import *
