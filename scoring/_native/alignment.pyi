from collections.abc import Hashable, Iterable, Sequence

from _typeshed import ReadableBuffer

from scoring.alignment.network import Chains, Network

def align_linear(
    reference_types: ReadableBuffer,
    reference_begins: ReadableBuffer,
    reference_ends: ReadableBuffer,
    hypothesis_types: ReadableBuffer,
    hypothesis_begins: ReadableBuffer,
    hypothesis_ends: ReadableBuffer,
    substitution: int,
    deletion: int,
    insertion: int,
    ties: int,
    threads: int,
) -> tuple[bytes, bytes, bytes]: ...
def align_compounds(
    reference: list[str],
    hypothesis: list[str],
    substitution: int,
    deletion: int,
    insertion: int,
) -> bytes: ...
def align_chains(reference: Chains, hypothesis: Chains, mode: int) -> tuple[bytes, bytes]: ...
def align_network(
    reference: Network, hypothesis: Network, mode: int, matches: bytes | None = None
) -> tuple[bytes, float]: ...
def align_tokens(
    reference: Iterable[Hashable],
    hypothesis: Iterable[Hashable],
    substitution: int,
    deletion: int,
    insertion: int,
    ties: int,
) -> tuple[bytes, tuple[int, int, int, int]]: ...
def count_tokens(
    reference: Iterable[Hashable],
    hypothesis: Iterable[Hashable],
    substitution: int,
    deletion: int,
    insertion: int,
    ties: int,
) -> tuple[int, int, int, int]: ...
def align_token_pairs(
    references: Iterable[Iterable[Hashable]],
    hypotheses: Iterable[Iterable[Hashable]],
    substitution: int,
    deletion: int,
    insertion: int,
    ties: int,
    threads: int,
) -> tuple[bytes, bytes, bytes]: ...
def align_text_pairs(
    references: Sequence[str],
    hypotheses: Sequence[str],
    substitution: int,
    deletion: int,
    insertion: int,
    ties: int,
    threads: int,
) -> tuple[bytes, bytes, bytes]: ...
def count_token_pairs(
    references: Iterable[Iterable[Hashable]],
    hypotheses: Iterable[Iterable[Hashable]],
    substitution: int,
    deletion: int,
    insertion: int,
    ties: int,
    threads: int,
) -> bytes: ...
