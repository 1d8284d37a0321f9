"""A replacement for jiwer 4; see `scoring.peers.jiwer`."""

from sclite_kit.compat.jiwer import alignment as alignment
from sclite_kit.compat.jiwer import measures as measures
from sclite_kit.compat.jiwer import process as process
from sclite_kit.compat.jiwer import transformations as transformations
from sclite_kit.compat.jiwer import transforms as transforms
from scoring.peers.jiwer import name as name
from scoring.peers.jiwer.alignment import *  # noqa: F403
from scoring.peers.jiwer.measures import *  # noqa: F403
from scoring.peers.jiwer.process import *  # noqa: F403
from scoring.peers.jiwer.transformations import *  # noqa: F403
from scoring.peers.jiwer.transforms import *  # noqa: F403
