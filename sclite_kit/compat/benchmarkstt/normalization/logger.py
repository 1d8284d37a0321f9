"""BenchmarkSTT's logs of the changes that normalizers make."""

from scoring.peers.benchmarkstt.normalization_log import (
    DiffLoggingDictFormatterDialect as DiffLoggingDictFormatterDialect,
)
from scoring.peers.benchmarkstt.normalization_log import (
    DiffLoggingFormatter as DiffLoggingFormatter,
)
from scoring.peers.benchmarkstt.normalization_log import (
    DiffLoggingFormatterDialect as DiffLoggingFormatterDialect,
)
from scoring.peers.benchmarkstt.normalization_log import (
    DiffLoggingTextFormatterDialect as DiffLoggingTextFormatterDialect,
)
from scoring.peers.benchmarkstt.normalization_log import ListHandler as ListHandler
from scoring.peers.benchmarkstt.normalization_log import LogCapturer as LogCapturer
from scoring.peers.benchmarkstt.normalization_log import Logger as Logger
from scoring.peers.benchmarkstt.normalization_log import NormalizedLogItem as NormalizedLogItem
from scoring.peers.benchmarkstt.normalization_log import log as log
from scoring.peers.benchmarkstt.normalization_log import (
    normalization_logger as normalization_logger,
)
