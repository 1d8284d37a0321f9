"""asclite's readers of stm, ctm, rttm and trn, with its treatment of malformed lines.

Byte text is a `str` with one character per byte.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from itertools import pairwise
from math import floor

from scoring.nist.asclite import alternations
from scoring.nist.asclite.choices import (
    DEBUG,
    ERROR,
    HYPOTHESIS,
    INFO,
    INVALID,
    MISSING,
    REFERENCE,
    UNREADABLE,
    AscliteOptions,
    ChosenFile,
    Log,
    leading_float,
)
from scoring.nist.asclite.network_words import (
    GAP,
    UNKNOWN,
    NetworkSegment,
    NetworkWord,
    Numbering,
    Speech,
    Speeches,
    Wording,
    link,
    lower,
)
from scoring.nist.transcripts.characters import byte_text, to_bytes

IGNORED = "ignore_time_segment_in_scoring"
LEXEMES = frozenset(
    ("lex", "fp", "frag", "un-lex", "for-lex", "alpha", "acronym", "interjection", "propernoun")
)
OPTIONAL_LEXEMES = frozenset(("fp", "frag", "un-lex", "for-lex"))
_BLANKS = " \t\n\v\f\r"
FIELD = re.compile(rf"[^{_BLANKS}]+")
_NUMBER = re.compile(r"[+-]?(\d+(?:\.\d*)?|\.\d+)([eE][+-]?\d+)?", re.ASCII)
_LATEST = 2**31 - 1


def lines_of(path: str, log: Log, failure: str) -> list[str]:
    """Return the lines of a file as byte text; the last line may lack its line feed."""
    try:
        with open(os.fsdecode(to_bytes(path)), "rb") as file:
            content = file.read()
    except (OSError, ValueError):
        raise log.fatal(UNREADABLE, failure + path) from None
    lines = byte_text(content).split("\n")
    return lines[:-1] if lines[-1] == "" else lines


class _CtmState:
    """The state of the ctm reader inside and after an alternation."""

    def __init__(self) -> None:
        self.previous: list[NetworkWord] = []
        self.segment: NetworkSegment | None = None  # of the open alternation
        self.branch: NetworkWord | None = None  # the last word of the alternative being read
        # asclite says that the word after an alternation is one of its segment
        self.owner: NetworkSegment | None = None
        self.begun = self.next_branch = self.ended = self.inside = False


class Reader:
    """Reads the files of a run."""

    def __init__(self, choices: AscliteOptions, numbers: Numbering, log: Log) -> None:
        self._choices = choices
        self._numbers = numbers
        self._log = log
        self._wording = Wording()
        self._name = ""

    def read(self, file: ChosenFile, side: str) -> Speeches:
        """Read the file of one side, `ref` or `hyp`."""
        self._wording = self._choices.wording(side)
        self._name = file.path
        kind = file.format.upper()
        failure = "Error opening file " if kind == "TRN" else f"Error opening {kind} file "
        if kind == "RTTM":
            mode = "Speaker" if side == REFERENCE else "Lexeme"
            self._log.say(DEBUG, f"Load in {mode} mode file {file.path}")
        lines = lines_of(file.path, self._log, failure)
        by_title = Speeches(file.path, file.title or file.path)
        if kind == "STM":
            speeches = self._stm(lines, by_title)
        elif kind == "CTM":
            speeches = self._ctm(lines)
        elif kind == "TRN":
            speeches = self._trn(lines)
        elif side == HYPOTHESIS:
            speeches = self._lexemes(lines)
        else:
            speeches = self._turns(lines)
        self._log.say(INFO, f"loading of file '{file.path}' done")
        by_title.speeches = [speeches[name] for name in sorted(speeches)]
        if kind == "RTTM":
            self._expand(by_title)
        if not any(speech.segments for speech in by_title.speeches):
            raise self._log.fatal(MISSING, f"{kind} file '{file.path}' contains no data!")
        return by_title

    # Parts of all readers

    def _refuse(self, line: int, problem: str) -> Exception:
        """Return the error about a line; lines count from 1."""
        return self._log.refuse(INVALID, f"{self._name}:{line}: {problem}")

    def _repeats(self, line: int, expected: int, found: int) -> None:
        self._log.remark(
            f"{self._name}:{line}: expected {expected} fields, found {found}; the others are taken "
            "from the line before"
        )

    def _time(self, text: str, line: int) -> int:
        """Return a time in milliseconds from a text in seconds."""
        if _NUMBER.fullmatch(text) is None:
            self._log.remark(
                f"{self._name}:{line}: expected a time, found {text!r}, of which asclite makes "
                f"{leading_float(text):g}"
            )
        value = 1000.0 * leading_float(text) + 0.5
        if not -_LATEST < value < _LATEST:
            raise self._refuse(line, f"expected a time below {_LATEST // 1000} s, found {text!r}")
        return floor(value)

    def _segment(
        self, begin: int, end: int, where: tuple[str, str, str] = ("", "", "")
    ) -> NetworkSegment:
        # asclite makes two words without text for each, where it begins and where it ends
        return NetworkSegment(self._numbers.take(3), begin, end, *where)

    def _word(
        self,
        text: str,
        segment: NetworkSegment,
        begin: int = UNKNOWN,
        end: int = UNKNOWN,
        *,
        bracketed: bool = False,
    ) -> NetworkWord:
        """Return a word.

        As in asclite, a `bracketed` word of the hypothesis keeps its fragment marks.
        """
        shown = f"({text})" if bracketed else text
        first = self._choices.wording(HYPOTHESIS)
        part = first.read(shown)[2] or first.read(text)[2]
        spelling, optional, last = self._wording.read(shown)
        return NetworkWord(
            self._numbers.take(), begin, end, shown, segment, spelling, optional, last or part
        )

    def _alternatives(
        self,
        text: str,
        segment: NetworkSegment,
        line: int,
        times: tuple[int, int] | None = None,
        confidence: float | None = None,
        *,
        bracketed: bool = False,
    ) -> alternations.AlternationPiece:
        """Return the words and alternatives of a text.

        If there is a time span `times`, the words divide it evenly.
        """

        def make(spelling: str, place: int, count: int) -> NetworkWord:
            if times is None:
                return self._word(spelling, segment)
            duration = times[1] - times[0]
            begin = times[0]
            if count > 1:
                duration //= count
                begin += place * duration
            word = self._word(spelling, segment, begin, begin + duration, bracketed=bracketed)
            if confidence is not None:
                word.set_confidence(confidence)
            return word

        try:
            piece, lost = alternations.read(text, make)
        except alternations.BracesError as error:
            raise self._refuse(line, str(error)) from None
        if lost:
            self._log.remark(
                f"{self._name}:{line}: a brace is never closed or never opened, what follows it "
                "is not scored"
            )
        return piece

    def _bounded(self, segment: NetworkSegment, word: NetworkWord, line: int) -> None:
        """Raise asclite's error if a word is not inside its segment."""
        early = word.begin != UNKNOWN and word.begin < segment.begin and word in segment.first
        late = word.end != UNKNOWN and word.end > segment.end and word in segment.last
        if early or late:
            raise self._log.fatal(
                INVALID,
                f"Segment: Tried to add a token with start time before begin of segment file ="
                f"'{self._name}' tkn='{word.spelling}' src={segment.file} chnl={segment.channel} "
                f"st={word.begin} et={word.end} seg: st={segment.begin} et={segment.end}",
            )

    # Formats

    def _stm(self, lines: list[str], by_title: Speeches) -> dict[str, Speech]:
        speeches: dict[str, Speech] = {}
        ignored: dict[str, int] = {}
        sequence = -1
        for number, line in enumerate(lines):
            if line.startswith(";"):
                label = _label(line)
                if label[1]:
                    by_title.labels.append(label)
                continue
            fields = FIELD.findall(line)
            if len(fields) < 5:
                self._log.say(ERROR, f"Error parsing the line {number} in file {self._name}")
                raise self._refuse(
                    number + 1, f"expected file, channel, speaker, begin and end, found {line!r}"
                )
            file, channel, speaker, begin, end = fields[:5]
            label_text, text = _label_and_text(line, fields)
            if text.split() != " ".join(fields[5:]).removeprefix(label_text).split() and (
                not label_text
            ):
                self._log.remark(
                    f"{self._name}:{number + 1}: the text begins where asclite finds the end time "
                    "first"
                )
            if lower(speaker) == GAP:
                self._log.say(DEBUG, f"ISG Detected at line {number} '{speaker}'")
                speaker = GAP
                self._log.say(DEBUG, f"ISG new name '{speaker}'")
            speech = speeches.setdefault(speaker, Speech())
            segment = self._segment(
                self._time(begin, number + 1), self._time(end, number + 1), (file, channel, speaker)
            )
            self._forwards(segment, number + 1)
            if IGNORED in lower(text):
                segment.ignored = True
                ignored[speaker] = ignored.get(speaker, 0) + 1
            else:
                piece = self._alternatives(text, segment, number + 1)
                segment.first, segment.last = piece.starts, piece.ends
                sequence += 1
            segment.line, segment.sequence, segment.label = number, sequence, label_text
            count = len(speech.segments) - ignored.get(speaker, 0)
            segment.identifier = _identifier(speaker, count)
            speech.segments.append(segment)
        _attach(speeches)
        return speeches

    def _forwards(self, segment: NetworkSegment, line: int) -> None:
        if segment.end < max(segment.begin, 0):
            raise self._refuse(
                line,
                f"expected an end after its begin, found {segment.begin / 1000:g} and "
                f"{segment.end / 1000:g}",
            )
        if segment.begin == segment.end == 0:
            segment.end = 1
            self._log.remark(f"{self._name}:{line}: a segment from 0 to 0 counts as 1 ms long")

    def _ctm(self, lines: list[str]) -> dict[str, Speech]:
        speech = Speech()
        state = _CtmState()
        fields = [""] * 6
        confident = True
        for number, line in enumerate(lines, 1):
            if line.startswith(";"):
                continue
            columns = FIELD.findall(line)[:6]
            fields[: len(columns)] = columns
            if len(columns) < 5:
                self._log.say(ERROR, f"Error parsing the line {number} in file {self._name}")
                if not fields[4]:
                    raise self._refuse(
                        number, f"expected file, channel, begin, duration, word, found {line!r}"
                    )
                self._repeats(number, 5, len(columns))
            else:
                confident = len(columns) == 6
            if fields[4] in ("<ALT_BEGIN>", "<ALT>", "<ALT_END>"):
                self._ctm_mark(state, fields[4], number)
                continue
            word = self._ctm_word(state, speech, fields, number)
            if confident:
                word.set_confidence(leading_float(fields[5]))
        if state.segment is not None and not state.segment.last:
            assert state.branch is not None
            self._log.remark(f"{self._name}: the file ends within an alternation")
            state.segment.last.append(state.branch)
        return {"": speech}

    def _ctm_mark(self, state: _CtmState, text: str, line: int) -> None:
        """Process a mark, such as `<ALT>`, of an alternation."""
        if (text == "<ALT_BEGIN>") == state.inside or (text != "<ALT_END>" and state.next_branch):
            raise self._refuse(line, f"found {text} out of place")
        if text == "<ALT_BEGIN>" and state.ended and not state.next_branch and state.segment:
            self._close(state, line)  # the alternatives just before it
        state.begun |= text == "<ALT_BEGIN>"
        state.next_branch |= text == "<ALT>"
        state.ended |= text == "<ALT_END>"
        state.inside = text != "<ALT_END>"
        if state.ended and (state.begun or state.next_branch):
            raise self._refuse(line, "expected a word in every alternative")

    def _close(self, state: _CtmState, line: int) -> None:
        """End an alternation: the next word then follows the last word of each alternative."""
        segment, branch = state.segment, state.branch
        assert segment is not None
        assert branch is not None
        segment.last.append(branch)
        self._bounded(segment, branch, line)
        state.previous, state.owner = segment.last, segment
        state.segment = state.branch = None
        state.ended = False

    def _ctm_word(
        self, state: _CtmState, speech: Speech, fields: list[str], line: int
    ) -> NetworkWord:
        """Add the word of a ctm record; return it."""
        text = fields[4]
        begin = self._time(fields[2], line)
        end = begin + self._time(fields[3], line)
        if state.ended:
            self._close(state, line)
        segment, branch = state.segment, state.branch
        if segment is not None and (state.next_branch or (state.inside and not state.begun)):
            assert branch is not None
            word = self._word(text, segment, begin, end)
            segment.end = max(segment.end, end)
            if state.next_branch:
                segment.first.append(word)
                self._bounded(segment, word, line)
                link(state.previous, [word])
                segment.last.append(branch)
                state.next_branch = False
            else:
                link([branch], [word])
            state.branch = word
            return word
        segment = self._segment(begin, end, (fields[0], fields[1], ""))
        word = self._word(text, segment if state.begun else state.owner or segment, begin, end)
        segment.first.append(word)
        link(state.previous, [word])
        speech.segments.append(segment)
        state.owner = None
        if state.begun:
            state.segment, state.branch, state.begun = segment, word, False
        else:
            segment.last.append(word)
            self._bounded(segment, word, line)
            state.previous = [word]
        return word

    def _trn(self, lines: list[str]) -> dict[str, Speech]:
        speeches: dict[str, Speech] = {}
        sequence = 0
        for number, line in enumerate(lines):
            if line.startswith(";"):
                continue
            opening, closing = line.rfind("("), line.rfind(")")
            if line.strip(_BLANKS) and (opening < 0 or closing < opening):
                raise self._refuse(
                    number + 1, f"expected an utterance id in brackets, found {line!r}"
                )
            identifier = line[opening + 1 : closing] if opening >= 0 else ""
            speaker = "undefined"
            if self._choices.utterance == "spu_id":
                cut = max(identifier.rfind("_"), identifier.rfind("-"))
                speaker = identifier if cut < 0 else identifier[:cut]
            else:
                self._log.say(
                    ERROR, f"trn_importer : unknown uterance id type : {self._choices.utterance}"
                )
            segment = self._segment(UNKNOWN, UNKNOWN, ("", "", speaker))
            piece = self._alternatives(line[: max(opening, 0)], segment, number + 1)
            segment.first, segment.last = piece.starts, piece.ends
            segment.identifier = f"({identifier})"
            segment.line, segment.sequence = number, sequence
            sequence += 1
            speeches.setdefault(speaker, Speech()).segments.append(segment)
        return speeches

    def _rttm(self, lines: list[str], kinds: tuple[str, ...]) -> Iterator[tuple[int, list[str]]]:
        """Yield the line number (from 0) and the nine fields of each line whose type is in `kinds`.

        As in asclite, a line with fewer fields takes the missing fields from the line before it.
        """
        fields = [""] * 9
        for number, line in enumerate(lines):
            if line.startswith(";;") or not line.startswith(kinds):
                continue
            columns = FIELD.findall(line)
            fields[: len(columns[:9])] = columns[:9]
            if len(columns) not in (9, 10):
                self._log.say(ERROR, f"Error parsing the line {number} in file {self._name}")
                if "" in fields:
                    raise self._refuse(number + 1, f"expected nine fields, found {line!r}")
                if len(columns) < 9:
                    self._repeats(number + 1, 9, len(columns))
            yield number, list(fields)

    def _bracketed(self, fields: list[str], line: int) -> bool | None:
        """Return True if the word in an rttm line is optional, and False if it is not.

        Returns None if the line has no word.
        """
        kind = lower(fields[6])
        if kind not in LEXEMES:
            return None
        if '"' in fields[5]:
            raise self._log.fatal(
                UNREADABLE,
                f"Error parsing the line {line} in file {self._name}, forbidden character detected",
            )
        return kind in OPTIONAL_LEXEMES

    def _lexemes(self, lines: list[str]) -> dict[str, Speech]:
        speeches: dict[str, Speech] = {}
        sequence = -1
        confident = True
        for number, fields in self._rttm(lines, ("LEXEME",)):
            bracketed = self._bracketed(fields, number)
            if bracketed is None:
                continue
            _, file, channel, start, duration, _, _, speaker, score = fields
            begin = self._time(start, number + 1)
            end = begin + self._time(duration, number + 1)
            confident &= score != "<NA>"
            speech = speeches.setdefault(speaker, Speech())
            segment = self._segment(begin, end, (file, channel, speaker))
            text = fields[5].replace("_", " ").replace("#", " ")
            confidence = leading_float(score) if confident else None
            times = begin, end
            piece = self._alternatives(
                text, segment, number + 1, times, confidence, bracketed=bracketed
            )
            segment.first, segment.last = piece.starts, piece.ends
            sequence += 1
            segment.line, segment.sequence = number, sequence
            segment.identifier = _identifier(speaker, len(speech.segments))
            if speech.segments:
                link(speech.segments[-1].last, segment.first)
            speech.segments.append(segment)
        return speeches

    def _turns(self, lines: list[str]) -> dict[str, Speech]:
        speeches: dict[str, Speech] = {}
        current: dict[str, NetworkSegment] = {}
        latest: dict[NetworkSegment, NetworkWord] = {}
        for number, fields in self._rttm(lines, ("SPEAKER", "LEXEME")):
            kind, file, channel, start, duration, _, _, speaker, score = fields
            if kind.startswith("SPEAKER"):
                begin = self._time(start, number + 1)
                end = begin + self._time(duration, number + 1)
                speech = speeches.setdefault(speaker, Speech())
                segment = self._segment(begin, end, (file, channel, speaker))
                self._forwards(segment, number + 1)
                segment.line = segment.sequence = number
                segment.identifier = _identifier(speaker, len(speech.segments))
                speech.segments.append(segment)
                current[speaker] = segment
                continue
            bracketed = self._bracketed(fields, number)
            if bracketed is None:
                continue
            if speaker not in current:
                self._log.say(ERROR, f"No Segment found for speaker {speaker} at line {number}")
                continue
            segment = current[speaker]
            begin = self._time(start, number + 1)
            end = begin + self._time(duration, number + 1)
            word = self._word(f"({fields[5]})" if bracketed else fields[5], segment, begin, end)
            if score != "<NA>":
                word.set_confidence(leading_float(score))
            if segment in latest:
                link([latest[segment]], [word])
            else:
                segment.first.append(word)
                self._bounded(segment, word, number + 1)
            latest[segment] = word
        for segment, word in latest.items():
            segment.last.append(word)
            self._bounded(segment, word, 0)
        _attach(speeches)
        return speeches

    def _expand(self, speeches: Speeches) -> None:
        """Replace each rttm word such as `{a_b/c}`, which spells alternatives, by their words."""
        wording = self._choices.wording(HYPOTHESIS)
        for segment in speeches.segments():
            for word in segment.words():
                spelling, optional, _ = wording.read(word.text)
                if not {"_", "{"} & {*spelling} or not {"_", "}"} & {*spelling}:
                    continue
                text = spelling.replace("_", " ").replace("#", " ")
                times = word.begin, word.end
                piece = self._alternatives(
                    text, segment, segment.line + 1, times, bracketed=optional
                )
                for before in list(word.before):
                    link([before], piece.starts)
                for after in list(word.after):
                    link(piece.ends, [after])
                for words, new in ((segment.first, piece.starts), (segment.last, piece.ends)):
                    if word in words:
                        words.remove(word)
                        words += new
                for before in word.before:
                    before.after.remove(word)
                for after in word.after:
                    after.before.remove(word)


def _identifier(speaker: str, number: int) -> str:
    return f"({speaker}-{number:03d})"


def _attach(speeches: dict[str, Speech]) -> None:
    """Link each segment of a speaker to the next: its last words to the next segment's first words.

    Segments without words are skipped.
    """
    for speech in speeches.values():
        spoken = [segment for segment in speech.segments if segment.first and segment.last]
        for word, following in pairwise(spoken):
            link(word.last, following.first)


def _label(line: str) -> tuple[str, str, str, str]:
    """Return the kind, id, title and description in a comment that defines a label.

    As in asclite, the n-th piece between blanks is the n-th value. After a value of several words,
    the other values are therefore shifted.
    """
    values = ["", "", "", ""]
    text = ""
    for index, piece in enumerate(re.findall("[^ \t\r\n]+", line)):
        if index == 1 and piece in ("CATEGORY", "LABEL"):
            values[0] = piece
        if index < 2:
            continue
        text = (
            piece if piece.find('"') != piece.rfind('"') else f"{text} {piece}" if text else piece
        )
        if piece.endswith('"'):
            if index <= 4:
                values[index - 1] = text.replace('"', "")
            text = ""
    return values[0], values[1], values[2], values[3]


def _label_and_text(line: str, fields: list[str]) -> tuple[str, str]:
    """Return the label between `<` and `>` in a line of an stm, and the words of the line.

    asclite looks for the first `<` and `>` anywhere in the line. The words begin after the end
    time. asclite searches for the end time as text, after the text of the start time.
    """
    opening, closing = line.find("<"), line.find(">")
    label = (
        "" if opening < 0 else line[opening : closing + 1] if closing >= opening else line[opening:]
    )
    if len(fields) > 5 and fields[5].startswith("<"):
        return label, line[closing + 1 :]
    begin, end = fields[3], fields[4]
    return label, line[line.find(end, line.find(begin) + 1) + len(end) :]
