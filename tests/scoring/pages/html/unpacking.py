"""What a browser does with the page's data, in plain Python: the oracle of these tests."""

import base64
import gzip
import json
import re
from typing import Any


class Unpacked:
    """The head and the columns of a page's data."""

    def __init__(self, packed: str) -> None:
        content = gzip.decompress(base64.b64decode(packed))
        size = int.from_bytes(content[:4], "little")
        self.head: dict[str, Any] = json.loads(content[4 : 4 + size])
        self._content = content[4 + size :]

    def column(self, name: str) -> list[int]:
        begin, count, planes = self.head["columns"][name]
        numbers = [0] * count
        for plane in range(planes):
            for at in range(count):
                numbers[at] |= self._content[begin + plane * count + at] << (8 * plane)
        return numbers

    def words(self, name: str) -> list[list[str]]:
        """Words by utterance, of columns `NAME.lengths` and `NAME.words`."""
        listed = iter(self.column(f"{name}.words"))
        texts = self.head["words"]
        return [[texts[next(listed)] for _ in range(n)] for n in self.column(f"{name}.lengths")]

    def steps(self, name: str) -> list[int | None]:
        """Numbers kept as steps from the known one before."""
        found: list[int | None] = []
        last = 0
        for number in self.column(name):
            if not number:
                found.append(None)
                continue
            last += _unfolded(number - 1)
            found.append(last)
        return found

    def less_one(self, name: str) -> list[int | None]:
        """Numbers kept one greater, 0 for unknown."""
        return [None if number == 0 else number - 1 for number in self.column(name)]


def _unfolded(number: int) -> int:
    return -(number + 1) // 2 if number % 2 else number // 2


def of_page(page: str) -> Unpacked:
    """The data in a page."""
    [packed] = re.findall(r'<script type="text/plain" id="data">([A-Za-z0-9+/=]*)</script>', page)
    return Unpacked(packed)
