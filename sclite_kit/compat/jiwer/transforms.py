"""jiwer's module `transforms`."""

from scoring.peers.jiwer.transforms import *  # noqa: F403
from scoring.peers.jiwer.transforms import BaseRemoveTransform as BaseRemoveTransform
