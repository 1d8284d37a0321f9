"""meeteval's module `nryant_dscore`."""

from scoring.peers.meeteval.der import dscore as dscore
