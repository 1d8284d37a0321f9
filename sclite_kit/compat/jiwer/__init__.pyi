from scoring.peers.jiwer import alignment as alignment
from scoring.peers.jiwer import measures as measures
from scoring.peers.jiwer import process as process
from scoring.peers.jiwer import transformations as transformations
from scoring.peers.jiwer import transforms as transforms
from scoring.peers.jiwer.alignment import *  # noqa: F403
from scoring.peers.jiwer.measures import *  # noqa: F403
from scoring.peers.jiwer.process import *  # noqa: F403
from scoring.peers.jiwer.transformations import *  # noqa: F403
from scoring.peers.jiwer.transforms import *  # noqa: F403

name: str
