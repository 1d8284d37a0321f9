"""BenchmarkSTT's items to compare, and their JSON form."""

from scoring.peers.benchmarkstt.schema import Item as Item
from scoring.peers.benchmarkstt.schema import JSONDecoder as JSONDecoder
from scoring.peers.benchmarkstt.schema import JSONEncoder as JSONEncoder
from scoring.peers.benchmarkstt.schema import Meta as Meta
from scoring.peers.benchmarkstt.schema import Schema as Schema
from scoring.peers.benchmarkstt.schema import SchemaError as SchemaError
from scoring.peers.benchmarkstt.schema import SchemaInvalidItemError as SchemaInvalidItemError
from scoring.peers.benchmarkstt.schema import SchemaJSONError as SchemaJSONError
