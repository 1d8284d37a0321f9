from array import array

class TokenTable:
    def __init__(self) -> None: ...
    def __len__(self) -> int: ...
    def intern(self, token: bytes) -> int: ...
    def texts(self, first: int = 0) -> list[bytes]: ...
    def tokenize(
        self, data: bytes, shape: bytes, begins: bytes, ends: bytes
    ) -> tuple[array[int], bytes, bytes]: ...

def scan_trn(data: bytes) -> tuple[bytes, bytes, bytes, bytes, list[int], int, int]: ...
def scan_ctm(
    data: bytes, shape: bytes, table: TokenTable
) -> tuple[
    bytes,
    bytes,
    bytes,
    bytes,
    list[int],
    list[bytes],
    list[bytes],
    int,
    int,
    int,
    int,
    int,
    int,
    int,
]: ...
def number(field: bytes) -> float: ...
