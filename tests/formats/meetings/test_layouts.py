"""Layouts of plain text: every line is accounted for, and sentences with colons are no turns."""

import re
from io import BytesIO

import pytest

import formats
from formats.meetings.layouts import LAYOUTS, fold, leads_of, signs_of
from formats.meetings.messages import NAMES_ALONE, TIME_AGAIN
from formats.meetings.turns.heads import example_of, head_of
from formats.reading.patterns import PatternError, compile_pattern, parse_rules, parse_stamp
from formats.schema.times import SECOND
from tests.each_case import each_case
from tests.formats.checks import codes
from tests.formats.conftest import ReadText

Turn = tuple[str | None, float | None, float | None, str]


def turns(read_text: ReadText, text: str, name: str | None = "speaker-text") -> list[Turn]:
    return [(s.speaker, s.start, s.end, " ".join(s.words)) for s in read_text(text, name)]


def detected(text: str) -> str:
    source = BytesIO(text.encode())
    source.name = "talk.txt"
    return formats.detect(source)


SENTENCES = [f"this is sentence {n} of the text" for n in range(60)]
READ = {
    # spans of a recogniser of speakers, with tracks and without words
    "[ 00:00:00.500 -->  00:00:02.000] A SPEAKER_00\n"
    "[ 00:00:01.500 -->  00:00:03.000] B SPEAKER_01\n"
    "[ 00:00:04.000 -->  00:00:05.000] AC SPEAKER_00\n": [
        ("SPEAKER_00", 0.5, 2.0, ""), ("SPEAKER_01", 1.5, 3.0, ""), ("SPEAKER_00", 4.0, 5.0, ""),
    ],
    # headings of speakers over stamped lines
    "--- Speaker 1 ---\n  [00:00 - 00:01] good morning\n  [00:01 - 00:03] so\n\n"
    "--- Speaker 2 ---\n  [00:03 - 00:05] thanks\n": [
        ("Speaker 1", 0.0, 1.0, "good morning"), ("Speaker 1", 1.0, 3.0, "so"),
        ("Speaker 2", 3.0, 5.0, "thanks"),
    ],
    # hours to frames, and a name below
    "[01:01:40:05 - 01:01:45:10]\nAlex\n we met\n\n[01:01:46:00 - 01:01:47:00]\nAda\n so\n\n"
    "[01:01:48:00 - 01:01:49:00]\n (laughing)\n\n[01:01:50:00 - 01:01:51:00]\nAlex\n yes\n\n"
    "[01:01:52:00 - 01:01:53:00]\nAda\n no\n": [
        ("Alex", 3700.2, 3705.4, "we met"), ("Ada", 3706.0, 3707.0, "so"),
        (None, 3708.0, 3709.0, "(laughing)"), ("Alex", 3710.0, 3711.0, "yes"),
        ("Ada", 3712.0, 3713.0, "no"),
    ],
    # the times of f4 are at the ends of turns
    "I: how was it? #00:00:05-2#\nB: fine #00:00:09-1#\nI: good #00:00:10-0#\n": [
        ("I", None, 5.2, "how was it?"), ("B", None, 9.1, "fine"), ("I", None, 10.0, "good"),
    ],
    "\nSPEAKER 1 0:00:00\nhave you read it? \nSPEAKER 2 0:00:02\nyes \nSPEAKER 1 0:00:04\nso ": [
        ("SPEAKER 1", 0.0, None, "have you read it?"), ("SPEAKER 2", 2.0, None, "yes"),
        ("SPEAKER 1", 4.0, None, "so"),
    ],
    "[0:00:06.835000 - 0:00:07.235000] SPEAKER_00 -  hello\n"
    "[0:00:08 - 0:00:09.5] SPEAKER_01 - well - yes\n"
    "[0:00:10 - 0:00:11] SPEAKER_00 - so\n": [
        ("SPEAKER_00", 6.835, 7.235, "hello"), ("SPEAKER_01", 8.0, 9.5, "well - yes"),
        ("SPEAKER_00", 10.0, 11.0, "so"),
    ],
    "00:04:  one\n00:08:  two\n61:26:  three\n": [
        (None, 4.0, None, "one"), (None, 8.0, None, "two"), (None, 3686.0, None, "three"),
    ],
    # padded numbers, and several kinds of heads in one file
    "[  0.03s -   2.06s] A: one\n[  2.10s -  12.40s] B: two\n[ 13.00s - 140.06s] A: three\n": [
        ("A", 0.03, 2.06, "one"), ("B", 2.1, 12.4, "two"), ("A", 13.0, 140.06, "three"),
    ],
    "[00:16] SPEAKER_06: one\n\n[00:20] **kushti**: two\n\n[00:24] SPEAKER_06: three\n\n"
    "[00:29] **kushti**: four\n": [
        ("SPEAKER_06", 16.0, None, "one"), ("kushti", 20.0, None, "two"),
        ("SPEAKER_06", 24.0, None, "three"), ("kushti", 29.0, None, "four"),
    ],
    # the head of a document is no speech
    "Meeting Date: May 5, 2024\nAttendees: Ann (Boss), Bob\n\nAnn: hi\n\nBob: hi\n\nAnn: so\n\nBob: ok\n": [
        ("Ann", None, None, "hi"), ("Bob", None, None, "hi"), ("Ann", None, None, "so"),
        ("Bob", None, None, "ok"),
    ],
    "# begin = 1:03\n@ann so /\n@bob well /\n@ann yes /\n@bob no /\n": [
        ("ann", None, None, "so /"), ("bob", None, None, "well /"), ("ann", None, None, "yes /"),
        ("bob", None, None, "no /"),
    ],
    # every line has a time: what is in brackets behind some of them is no speaker
    "".join(f"[00:00:{n:02}] {'[laughs] ' if n % 4 == 1 else ''}so it was\n" for n in range(12)): [
        (None, float(n), n + 1.0 if n < 11 else None, "so it was") for n in range(12)
    ],
    # a sign between head and text is no word
    "**`0:01`** — one two\n\n**`0:05`** — three — four\n\n**`0:09`** — five\n": [
        (None, 1.0, None, "one two"), (None, 5.0, None, "three — four"), (None, 9.0, None, "five"),
    ],
    # what is below the end of the transcript is no speech
    "Ann:\nwell?\n\nBob:\nyes\n\nAnn:\nso?\n\nBob:\nno\n\n⸻\n[End of Transcript]\nDuration: 5 minutes\n": [
        ("Ann", None, None, "well?"), ("Bob", None, None, "yes"), ("Ann", None, None, "so?"),
        ("Bob", None, None, "no"),
    ],
    "# A talk\n\n00:00:00.240 one two\n00:00:02.560 three\n00:01:06 four\n": [
        (None, 0.24, None, "one two"), (None, 2.56, None, "three"), (None, 66.0, None, "four"),
    ],
    "1 00:00:00,410 --> 00:00:03,978 it was so\n2 00:00:04,000 --> 00:00:05,000 yes it was\n"
    "3 00:00:06,000 --> 00:00:07,000 one more\n": [
        (None, 0.41, 3.978, "it was so"), (None, 4.0, 5.0, "yes it was"), (None, 6.0, 7.0, "one more"),
    ],
    # a paragraph of the head of a document has a name that returns
    "Date: 5 May\nDoctor: Dr. Ann Ex\nPatient: Bob, 47\n\n\nAnn: well?\n\nPatient: yes.\n\nAnn: so?\n\n"
    "Patient: no.\n": [
        ("Ann", None, None, "well?"), ("Patient", None, None, "yes."), ("Ann", None, None, "so?"),
        ("Patient", None, None, "no."),
    ],
    # a label may have a name behind it, and several paragraphs
    "Speaker 0 (Ann):\nso it was\n\nmore\n\nSpeaker 1 (Bob):\nyes\n\nmore\n\nSpeaker 0 (Ann):\nno\n": [
        ("Speaker 0 (Ann)", None, None, "so it was more"),
        ("Speaker 1 (Bob)", None, None, "yes more"), ("Speaker 0 (Ann)", None, None, "no"),
    ],
    "M:そうですか\nF:はい\nM:じゃあ\nF:うん\n": [
        ("M", None, None, "そうですか"), ("F", None, None, "はい"), ("M", None, None, "じゃあ"),
        ("F", None, None, "うん"),
    ],
    "A - it was so\nB — yes - it was\nA - no\nB - well\n": [
        ("A", None, None, "it was so"), ("B", None, None, "yes - it was"), ("A", None, None, "no"),
        ("B", None, None, "well"),
    ],
    "Ann (00:01):\n\none\n\n(00:29)\ntwo\n\n(00:55)\nthree\n\nBob (01:00):\n\nfour\n": [
        ("Ann", 1.0, None, "one"), ("Ann", 29.0, None, "two"), ("Ann", 55.0, None, "three"),
        ("Bob", 60.0, None, "four"),
    ],
    "A TITLE\n=======\n\n[00:00] it was\n[00:07] so\n[00:12] yes\n": [
        (None, 0.0, 7.0, "it was"), (None, 7.0, 12.0, "so"), (None, 12.0, None, "yes"),
    ],
    "Speaker A: well, it was so, you see\nSpeaker B: yes, it was really so, I think\n": [
        ("Speaker A", None, None, "well, it was so, you see"),
        ("Speaker B", None, None, "yes, it was really so, I think"),
    ],
    # names in paragraphs of their own
    "Participants\n\n" + "".join(
        f"{('Ann Example', 'Operator', 'Bob Lee')[n % 3]}\n\nso it was {n}.\n\n"
        + "and more.\n\n" * (n % 2) for n in range(9)
    ): [
        (("Ann Example", "Operator", "Bob Lee")[n % 3], None, None,
         f"so it was {n}." + " and more." * (n % 2)) for n in range(9)
    ],
    # parts of minutes are spoken by nobody
    "Ann: well?\nBob: yes.\nDecision: Bob will do it.\n\nAnn: so?\nBob: no.\n\nAction items:\nANN: call Cy\n"
    "1. write to Di\n": [
        ("Ann", None, None, "well?"), ("Bob", None, None, "yes."), ("Ann", None, None, "so?"),
        ("Bob", None, None, "no."),
    ],
    "[0:01] Ann: well?\n\n[0:05] Bob: yes.\n\n[0:07] Ann: so.\n\n## Next steps\n\nCall Cy.\n": [
        ("Ann", 1.0, None, "well?"), ("Bob", 5.0, None, "yes."), ("Ann", 7.0, None, "so."),
    ],
    "".join(f"[0:0{n}] 📝 so it was\n" for n in range(5)) + "level 3\n": [
        *((None, float(n), n + 1.0, "so it was") for n in range(4)),
        (None, 4.0, None, "so it was level 3"),
    ],
    "Ann: well?\n\nBob: yes.\n\nAnn: so.\n\nBob: no.\n\nMeeting Adjourned: 3:00 PM\n": [
        ("Ann", None, None, "well?"), ("Bob", None, None, "yes."), ("Ann", None, None, "so."),
        ("Bob", None, None, "no."),
    ],
    # names need not return if each line has a time, and these go forward
    "[09:00 AM] Ann (Sales): one\n[09:03 AM] Bob: two\n[09:05 AM] Cy: three\n[09:10 AM] Bob: four\n"
    "[09:11 AM] Ann: five\n": [
        ("Ann", 0.0, None, "one"), ("Bob", 180.0, None, "two"),
        ("Cy", 300.0, None, "three"), ("Bob", 600.0, None, "four"), ("Ann", 660.0, None, "five"),
    ],
    # a line of the head of a document looks like a turn, but turns have their text below
    "## About\n\nDANIEL LEE: An interview by Ann Ex, 2014.\n\nMore of it.\n\nQ:\n\nwell?\n\n"
    "Daniel Lee:\n\nyes\n\nQ:\n\nso?\n\nDaniel Lee:\n\nno\n\nRetrieved from https://x.y/z\n": [
        ("Q", None, None, "well?"), ("Daniel Lee", None, None, "yes"), ("Q", None, None, "so?"),
        ("Daniel Lee", None, None, "no"),
    ],
    # names over indented times
    "File: a.wav\n═══\nSpeaker A:\n  [00:00]  so\n  [00:27]  well\n\n───\nSpeaker B:\n  [00:54] no\n"
    "  [01:21] yes\n": [
        ("Speaker A", 0.0, 27.0, "so"), ("Speaker A", 27.0, None, "well"),
        ("Speaker B", 54.0, 81.0, "no"), ("Speaker B", 81.0, None, "yes"),
    ],
    # times inside a few paragraphs that always go forward
    "A talk\n===\n\n[00:00:00] so\n\nit\n\nwas [00:01:00] all\n\n[00:02:00] along\n\nand\n\non\n\n"
    "[00:03:00] and\n\non\n\n[00:04:00] well\n\nyes\n\n[00:05:00] no\n\nso\n": [
        (None, 0.0, 60.0, "so it was"), (None, 60.0, 120.0, "all"),
        (None, 120.0, 180.0, "along and on"), (None, 180.0, 240.0, "and on"),
        (None, 240.0, 300.0, "well yes"), (None, 300.0, None, "no so"),
    ],
    # a title that returns is no speaker
    "--- New scene ---\n[0.5s] so\n[1.5s] well\n\n--- New scene ---\n[2.5s] yes\n": [
        (None, 0.5, None, "so"), (None, 1.5, None, "well"), (None, 2.5, None, "yes"),
    ],
    # what a recogniser says of a turn is no part of the name
    "[00:00 - 00:08] ANN (conf: 0.95): so\n[00:08 - 00:13] BEN (conf: 0.9): well\n"
    "[00:13 - 00:18] ANN (conf: 0.85): yes\n": [
        ("ANN", 0.0, 8.0, "so"), ("BEN", 8.0, 13.0, "well"), ("ANN", 13.0, 18.0, "yes"),
    ],
    # a number behind all names, and titles between rules
    "=====\nPart one: a talk\n=====\n\nSTUDENT (turn 1): so\n\nTUTOR (turn 1): well\n\n"
    "STUDENT (turn 2): yes\n\n=====\nPart two: another\n=====\n\nTUTOR (turn 2): no\n": [
        ("STUDENT", None, None, "so"), ("TUTOR", None, None, "well"),
        ("STUDENT", None, None, "yes"), ("TUTOR", None, None, "no"),
    ],
    # times without zeros, and spans of seconds
    "0:0:30 - 0:0:45: so\n0:0:53 - 0:1:3: well\n0:1:3 - 0:1:10: yes\n": [
        (None, 30.0, 45.0, "so"), (None, 53.0, 63.0, "well"), (None, 63.0, 70.0, "yes"),
    ],
    "9.614-9.773: so\n18.327-18.807: well\n1001.729-1002.229: yes\n": [
        (None, 9.614, 9.773, "so"), (None, 18.327, 18.807, "well"),
        (None, 1001.729, 1002.229, "yes"),
    ],
    # what is said before the first time is no title
    "so it was and\nso it went on\nfor all of us\nand so it is\n[00:00:08] well\nyes\n"
    "[00:00:16] no\n[00:00:20] so\n[00:00:24] it\n[00:00:28] is\n[00:00:32] so\n": [
        (None, None, 8.0, "so it was and so it went on for all of us and so it is"),
        (None, 8.0, 16.0, "well yes"), (None, 16.0, 20.0, "no"), (None, 20.0, 24.0, "so"),
        (None, 24.0, 28.0, "it"), (None, 28.0, 32.0, "is"), (None, 32.0, None, "so"),
    ],
    # hours and minutes, as nobody speaks so fast
    "".join(f"[10:{n:02}] {'AnnBen'[n % 2 * 3 :][:3]}: {'so it was ' * 8}\n" for n in range(6)): [
        (("Ann", "Ben")[n % 2], 60.0 * n, None, " ".join(["so it was"] * 8)) for n in range(6)
    ],
    # a list that a turn announces
    "Ann: Hello.\n\nBob: Well.\n\nAnn: We need:\n\nTime: a day.\n\nMoney: all of it.\n\n"
    "Bob: I see.\n\nAnn: Fine.\n\nBob: Bye.\n\nAnn: Bye.\n\nBob: So.\n": [
        ("Ann", None, None, "Hello."), ("Bob", None, None, "Well."),
        ("Ann", None, None, "We need: Time: a day. Money: all of it."),
        ("Bob", None, None, "I see."), ("Ann", None, None, "Fine."), ("Bob", None, None, "Bye."),
        ("Ann", None, None, "Bye."), ("Bob", None, None, "So."),
    ],
    # names between hashes, a clock of milliseconds behind a colon, and times in letters
    "#Person1#: well?\n#Person2#: yes\n#Person1#: so\n#Person2#: no\n": [
        ("Person1", None, None, "well?"), ("Person2", None, None, "yes"),
        ("Person1", None, None, "so"), ("Person2", None, None, "no"),
    ],
    "\nSPEAKER 1 0:00:00:000\nwell?\nSPEAKER 2 0:00:11:599\nyes\nSPEAKER 1 0:01:04:001\nso\n": [
        ("SPEAKER 1", 0.0, None, "well?"), ("SPEAKER 2", 11.599, None, "yes"),
        ("SPEAKER 1", 64.001, None, "so"),
    ],
    "0m3s: so\n0m10s: it was\n61m22s: yes\n": [
        (None, 3.0, None, "so"), (None, 10.0, None, "it was"), (None, 3682.0, None, "yes"),
    ],
    # a change of speaker is no word, and what is below a rule at the end is none of a turn
    "[0:01 --> 0:02] >> so\n[0:02 --> 0:03] it was\n[0:04 --> 0:05] >> yes\n\n=====\nSegments: 3\n": [
        (None, 1.0, 2.0, "so"), (None, 2.0, 3.0, "it was"), (None, 4.0, 5.0, "yes"),
    ],
    # a name and a tab, a bar before each line, and a list that a turn announces
    "HOLT\twell, so\nHOLT\tit was\nLEE\tyes\nHOLT\tand no\nLEE\tso\n": [
        ("HOLT", None, None, "well, so"), ("HOLT", None, None, "it was"),
        ("LEE", None, None, "yes"), ("HOLT", None, None, "and no"), ("LEE", None, None, "so"),
    ],
    "|(0:02 - 0:22)\n|so it\n|\n|(0:22 - 0:39)\n|was\n|\n|(0:39 - 1:01)\n|all\n": [
        (None, 2.0, 22.0, "so it"), (None, 22.0, 39.0, "was"), (None, 39.0, 61.0, "all"),
    ],
    "(0:00) so it\n\nwas\n\n(0:15) yes\n\n(0:30) no\n\n(0:45) well\n": [
        (None, 0.0, None, "so it was"), (None, 15.0, None, "yes"), (None, 30.0, None, "no"),
        (None, 45.0, None, "well"),
    ],
    "[0:01] Ann: well?\n\n[0:02] Bo: yes.\n\n[0:03] Ann: the items:\n- Bo: this\n- Ann: that\n\n[0:04] Bo: so\n": [
        ("Ann", 1.0, None, "well?"), ("Bo", 2.0, None, "yes."),
        ("Ann", 3.0, None, "the items: - Bo: this - Ann: that"), ("Bo", 4.0, None, "so"),
    ],
    # several paragraphs a turn: names follow each other in turns
    "Tom: well?\n\nBo Lee: yes.\n\nand so\n\nTom: why?\n\nBo Lee: so.\n\nit was\n\nTom: no.\n\n"
    "Bo Lee: yes.\n\nand more\n": [
        ("Tom", None, None, "well?"), ("Bo Lee", None, None, "yes. and so"),
        ("Tom", None, None, "why?"), ("Bo Lee", None, None, "so. it was"),
        ("Tom", None, None, "no."), ("Bo Lee", None, None, "yes. and more"),
    ],
    # signs around times that no row of the table has, but that all lines have
    "{00:01} so it was\n{00:05} and all\n{00:09} along\n": [
        (None, 1.0, None, "so it was"), (None, 5.0, None, "and all"), (None, 9.0, None, "along"),
    ],
    "0:01.5;0:04.0;so it was\n0:05.0;0:08.0;and all\n0:09.0;0:11.0;along\n": [
        (None, 1.5, 4.0, "so it was"), (None, 5.0, 8.0, "and all"), (None, 9.0, 11.0, "along"),
    ],
    "0:00:00 - 0:00:09:  so it was\n0:00:09 - 0:00:16:\n0:00:16 - 0:00:23:  and all along it\n": [
        (None, 0.0, 9.0, "so it was"), (None, 9.0, 16.0, ""), (None, 16.0, 23.0, "and all along it"),
    ],
    "[ 0:00:00.000 ---> 0:00:02.000 ] Speaker B : so it was\n"
    "[ 0:00:02.000 ---> 0:00:05.000 ] Speaker A : and all\n"
    "[ 0:00:05.000 ---> 0:00:07.000 ] Speaker B : along\n": [
        ("Speaker B", 0.0, 2.0, "so it was"), ("Speaker A", 2.0, 5.0, "and all"),
        ("Speaker B", 5.0, 7.0, "along"),
    ],
    "Ann 00:01 - so it was\nBob 00:05 - and all\nAnn 00:09 - along\nBob 00:12 - and so\n": [
        ("Ann", 1.0, None, "so it was"), ("Bob", 5.0, None, "and all"),
        ("Ann", 9.0, None, "along"), ("Bob", 12.0, None, "and so"),
    ],
    "0:01 / Ann / so it was\n0:05 / Bob / and all\n0:09 / Ann / along\n0:12 / Bob / and so\n": [
        ("Ann", 1.0, None, "so it was"), ("Bob", 5.0, None, "and all"),
        ("Ann", 9.0, None, "along"), ("Bob", 12.0, None, "and so"),
    ],
    "[Ann] (0:01 - 0:04) so\n[Bob] (0:05 - 0:08) and\n[Ann] (0:12 - 0:14) no\n[Bob] (0:15 - 0:16) yes\n": [
        ("Ann", 1.0, 4.0, "so"), ("Bob", 5.0, 8.0, "and"), ("Ann", 12.0, 14.0, "no"),
        ("Bob", 15.0, 16.0, "yes"),
    ],
    "(Timestamp: 0:00-0:04 minutes)\nso it was\nand so\n(Timestamp: 0:04-0:08 minutes)\nand all of it\n"
    "(Timestamp: 0:08-0:11 minutes)\nalong the way\n": [
        (None, 0.0, 4.0, "so it was and so"), (None, 4.0, 8.0, "and all of it"),
        (None, 8.0, 11.0, "along the way"),
    ],
    # hours to milliseconds, and spans of speakers without words
    "00:05:46:000 so it was\n00:05:49:120 and all\n00:05:53:500 along\n": [
        (None, 346.0, None, "so it was"), (None, 349.12, None, "and all"),
        (None, 353.5, None, "along"),
    ],
    "0:00:02 - 0:00:18: SPEAKER_00\n0:00:18 - 0:00:28: SPEAKER_01\n0:00:29 - 0:00:30: SPEAKER_00\n": [
        ("SPEAKER_00", 2.0, 18.0, ""), ("SPEAKER_01", 18.0, 28.0, ""),
        ("SPEAKER_00", 29.0, 30.0, ""),
    ],
    # first and last names without a sign, and names each of which occurs once
    "".join(f"0:{n + 10} {('Ann Ex', 'Bo Le')[n % 2]} so it was all of {n}\n" for n in range(6)): [
        (("Ann Ex", "Bo Le")[n % 2], n + 10.0, None, f"so it was all of {n}") for n in range(6)
    ],
    "Ann: What do we do?\nBob: We go on with it.\nCy: That is all right.\n": [
        ("Ann", None, None, "What do we do?"), ("Bob", None, None, "We go on with it."),
        ("Cy", None, None, "That is all right."),
    ],
    # sounds in brackets between turns, names in small letters, and spans of one speaker
    "ANN: so\n(APPLAUSE)\nBOB: yes\n(LAUGHTER)\nANN: no\n(APPLAUSE)\nBOB: so\n(LAUGHTER)\n" * 3: [
        ("ANN", None, None, "so"), ("BOB", None, None, "yes"), ("ANN", None, None, "no"),
        ("BOB", None, None, "so"),
    ] * 3,
    "tom : so\nuser: yes\n" * 6 + "the end\n": [
        *[("tom", None, None, "so"), ("user", None, None, "yes")] * 5, ("tom", None, None, "so"),
        ("user", None, None, "yes the end"),
    ],
    "Speaker SPEAKER_00: from 1.6s to 2.7s\nSpeaker SPEAKER_00: from 3.1s to 4.2s\n"
    "Speaker SPEAKER_00: from 5.0s to 7.0s\n": [
        ("SPEAKER_00", 1.6, 2.7, ""), ("SPEAKER_00", 3.1, 4.2, ""), ("SPEAKER_00", 5.0, 7.0, ""),
    ],
    # tags of HTML, samples of Azure, and a screenplay
    "<p><b>Ann:</b> so it &amp; was<br>and all</p>\n<p><b>Bob:</b> yes</p>\n<p><b>Ann:</b> so</p>\n"
    "<p><b>Bob:</b> no</p>\n": [
        ("Ann", None, None, "so it & was and all"), ("Bob", None, None, "yes"),
        ("Ann", None, None, "so"), ("Bob", None, None, "no"),
    ],
    "TRANSCRIBED: Text=so it was. Speaker ID=Guest-1\nTRANSCRIBED: Text=yes Speaker ID=Guest-2\n"
    "TRANSCRIBED: Text=so Speaker ID=Guest-1\n": [
        ("Guest-1", None, None, "so it was."), ("Guest-2", None, None, "yes"),
        ("Guest-1", None, None, "so"),
    ],
    "INT. A ROOM - DAY\n\n  ANN sits there.\n\n          ANN (cont'd)\n      Where is\n      he?\n\n"
    "          BO LEE\n        (off)\n      Here.\n\n  Bo comes in.\n\n          ANN\n      So.\n": [
        ("ANN", None, None, "Where is he?"), ("BO LEE", None, None, "Here."),
        ("ANN", None, None, "So."),
    ],
}  # fmt: skip


@each_case("text", READ)
def test_layouts_are_read(read_text: ReadText, text: str) -> None:
    assert turns(read_text, text) == READ[text]
    assert detected(text) in ("speaker-text", "markdown")


def test_indented_lines_begin_paragraphs_of_wrapped_text(read_text: ReadText) -> None:
    spoken = [
        f"{('MR. LEE:', 'Q.', 'A.', 'MS. RAY:')[n % 4]}  It was like this.\n" for n in range(8)
    ]
    wrapped = "and so it went on for a long while until all of it was\n" * 9 + "over\n"
    read = read_text("".join(f"      {line}{wrapped}" for line in spoken), None)
    assert [s.speaker for s in read] == ["MR. LEE", "Q", "A", "MS. RAY"] * 2
    assert all(len(s.words) == 5 + 9 * 14 for s in read)


@pytest.mark.parametrize(
    "text",
    [
        "1:1 so it was\n1:2 and all\n1:3 along\n1:10 and so\n",  # verses
        "TRANSCRIBED: Text=so\nTRANSCRIBED: Text=yes\nTRANSCRIBED: Text=no\n",
        # fields above a text, of which none is left, and a few lines with a dash among many
        "Date: today\nLevel: high\nLevel: low\n\nwe need two things:\nOwner: it is Ann.\nso it was\n",
        "".join(f"{line}\n" for line in SENTENCES) + "Ann - so\nBob - no\nAnn - yes\nCy - so\n" * 2,
    ],
)
def test_what_is_no_layout_stays_text(text: str) -> None:
    assert detected(text) == "txt"


@pytest.mark.parametrize("places", [(5, 17, 29, 41, 50), (0, 1, 2, 3), (56, 57, 58, 59)])
def test_sentences_with_colons_are_no_turns(read_text: ReadText, places: tuple[int, ...]) -> None:
    lines = list(SENTENCES)
    for number, place in enumerate(places):
        lines[place] = f"{('Question', 'Answer')[number % 2]}: {lines[place]}"
    text = "\n".join(lines) + "\n"
    assert detected(text) == "txt"
    assert sum(len(s.words) for s in read_text(text, "txt")) == 60 * 7 + len(places)


def test_names_that_the_head_lists_begin_turns_of_many_paragraphs(read_text: ReadText) -> None:
    turns_of = [f"{('Ann', 'Ben')[n % 2]}: so\n\nit was\n\nall\n\nalong\n" for n in range(12)]
    read = read_text("A call\nParticipants:\n- Ann\n- Ben\n\n" + "\n".join(turns_of), None)
    assert read.format == "speaker-text"
    assert [s.speaker for s in read] == ["Ann", "Ben"] * 6
    assert all(s.words == ("so", "it", "was", "all", "along") for s in read)
    assert "SPEAKER-TEXT-LINES" in codes(read)
    others = [turn.replace("Ben", "Cy" if n % 4 == 1 else "Ann") for n, turn in enumerate(turns_of)]
    assert detected("A call\n\n" + "\n".join(others)) == "txt"


def test_a_chair_speaks_between_others(read_text: ReadText) -> None:
    names = ["Chair" if n % 2 == 0 else f"Member {chr(65 + n)}" for n in range(20)]
    lines = [f"{name}: {SENTENCES[n]}.\n{SENTENCES[n]}.\n" for n, name in enumerate(names)]
    read = read_text("A session\n" + "".join(lines), None)
    assert [segment.speaker for segment in read] == names
    assert all(len(segment.words) == 14 for segment in read)


CHAIN = "{0}: Good morning, all.\n\n{1}: Thank you. It was good.\n\nWe did well.\n\n"
RULED = "----------\n{n} (to all):\n\nSo it was.\n\nWe went on.\n\nIt was late.\n\n"


@each_case(
    ("text", "names"),
    [
        # a call whose chair and one other person speak again, and others once
        (
            "A call\n\n" + CHAIN.format("Operator", "Ann Lee") + CHAIN.format("Operator", "Guest A")
            + CHAIN.format("Ann Lee", "Bob Roe") + CHAIN.format("Ann Lee", "Operator"),
            ["Operator", "Ann Lee", "Operator", "Guest A", "Ann Lee", "Bob Roe", "Ann Lee",
             "Operator"],
        ),
        # a play in which some names are parts of longer lines
        (
            "".join(f"{name}：好，走吧。\n" for name in "甲甲乙乙丙丙甲甲" * 2)
            + "大家走了\n".join(("甲走过去：来吧。\n", "乙站起来：走。\n", "丙坐下：好。\n"))
            + "大家走了\n" * 6,
            [*"甲甲乙乙丙丙甲甲" * 2, "甲走过去", "乙站起来", "丙坐下"],
        ),
        # names above texts, of whom one speaks twice, and what is to be done
        (
            "A meeting\n\nAnn Lee:\nWe begin.\n\nBob Roe:\nI will test it.\n\nCy Doe:\n"
            "It is late.\n\nAnn Lee:\nWe end.\n\nDee Poe:\nYes, it is.\n\nAction required:\n- test\n",
            ["Ann Lee", "Bob Roe", "Cy Doe", "Ann Lee", "Dee Poe"],
        ),
        # rules between turns
        ("".join(RULED.format(n=name) for name in ("user", "Ann", "Bob") * 2),
         ["user", "Ann", "Bob"] * 2),
        # names above paragraphs, below an introduction that is a small part of the text
        ("It is.\n\n" * 4
         + "Q:\n\nHow was it?\n\nAnn Lee:\n\nIt was so.\n\nWe went on.\n\nIt was late.\n\n" * 4,
         ["Q", "Ann Lee"] * 4),
        # one person, and what nobody says
        ("**(music)**\n\n" + "**Host:** So it was.\n\n**(a chime)**\n\n" * 3, ["Host"] * 3),
        ("NARRATOR: So it was.\n\nWe went on.\n\n" * 3, ["NARRATOR"] * 3),
        # a name that directly follows a sentence
        ("Bot: How are you?User: fine\n" + "Bot: good\nUser: yes\n" * 2,
         ["Bot", "User", "Bot", "User", "Bot", "User"]),
    ],
)  # fmt: skip
def test_names_that_few_signs_show_are_speakers(
    text: str, names: list[str], read_text: ReadText
) -> None:
    assert [segment.speaker for segment in read_text(text, None)] == names


def test_a_turn_above_the_first_of_the_times_alone_is_kept(read_text: ReadText) -> None:
    said = [f"{('Ann', 'Bob')[n % 2]}: It was so.\n\n0{n}:30\n" for n in range(1, 8)]
    found = turns(read_text, "".join(said), None)
    assert found[0] == ("Bob", None, None, "It was so.")
    assert [start for _, start, _, _ in found[1:]] == [60.0 * n + 30 for n in range(1, 7)]


def test_entries_are_no_turns() -> None:
    entries = "".join(f"Rule {n} Of All: It says so.\n\nWe agree.\n\n" for n in range(9))
    assert detected("A page\n\n" + entries + "Ann: so.\n\nBob: no.\n\n" * 2) == "txt"
    for languages in ("Hindi: so it is\nEnglish: well then", "FR: so it is\nENG: well then"):
        text = f"Speaker 1:\n{languages}\n\n" * 4
        with pytest.raises(formats.FormatError):
            list(formats.read(BytesIO(text.encode()), format=None))


@pytest.mark.parametrize(
    "text",
    ["[[0.00]]So it [[1.50]]was one. [[3.25]]Yes.", "So it (0.00) was one. (1.50) Yes. (3.25)"],
)
def test_seconds_in_brackets_inside_one_line_are_starts(text: str, read_text: ReadText) -> None:
    read = turns(read_text, text + "\n", None)
    assert read == [
        (None, 0.0, 1.5, "So it"), (None, 1.5, 3.25, "was one."), (None, 3.25, None, "Yes."),
    ]  # fmt: skip


def test_what_a_program_says_below_a_transcript_is_no_speech(read_text: ReadText) -> None:
    text = "[00:00 - 00:02]: hola\n[00:02 - 00:04]: así es\n[00:04 - 00:06]: bueno\n\n"
    read = read_text(text + "TRANSCRIPCIÓN COMPLETADA\nTiempo total: 6 segundos\n", None)
    assert [" ".join(s.words) for s in read] == ["hola", "así es", "bueno"]
    assert [c for c in codes(read) if "FOOTER" in c] == ["SPEAKER-TEXT-FOOTER"] * 2


def test_dates_before_what_a_recogniser_writes_are_times(read_text: ReadText) -> None:
    said = ["hello this is it", "do you know", "tell me more", "thank you"]
    text = "".join(f"[2025-08-12 13:30:0{2 * n}] {line}\n" for n, line in enumerate(said))
    read = [(float(s.start or 0), " ".join(s.words)) for s in read_text(text, None)]
    assert read == [(2.0 * n, line) for n, line in enumerate(said)]
    log = "".join(f"[2025-08-12 13:30:0{2 * n}] read file_{n} in 3 s\n" for n in range(4))
    assert detected(log) == "txt"


def test_titles_of_slides_are_no_turns() -> None:
    slides = [
        f"{('SLIDE', 'IMAGE')[n % 3 % 2]}: Part {n}\n\n{line}.\n"
        for n, line in enumerate(SENTENCES)
    ]
    more = "".join(f"\n{line} and so on.\n" for line in SENTENCES * 4)
    assert detected("\n".join(slides) + more) == "txt"


def test_times_that_begin_again_are_warned_of(read_text: ReadText) -> None:
    words = "".join(f"{n}.00-{n}.90: so\n" for n in range(20))
    text = f"==== WORDS ====\n{words}==== PHRASES ====\n0.00-9.90: so\n10.00-15.50: so\n16.00-19.90: so\n"
    read = read_text(text, None)
    (warning,) = [d for d in read.diagnostics if d.value.entry is TIME_AGAIN]
    assert (warning.line, warning.value.fields) == (23, {"time": "00:00:00.000"})


def test_capitals_begin_the_turns_of_a_debate(read_text: ReadText) -> None:
    paragraphs = [
        f"{('KELLY', 'BAIER', 'WALLACE')[n // 2 % 3]}: {line}" if n % 2 else line
        for n, line in enumerate(SENTENCES)
    ]
    text = "\n\n".join(paragraphs[1:]) + "\n"
    read = read_text(text, None)
    assert read.format == "speaker-text"
    assert {s.speaker for s in read} == {"KELLY", "BAIER", "WALLACE"}
    assert sum(len(s.words) for s in read) == 59 * 7
    assert "SPEAKER-TEXT-LINES" in codes(read)
    note = next(d for d in read.diagnostics if d.code == "SPEAKER-TEXT-LINES")
    assert note.line == 3
    assert (note.value.fields["total"], note.value.fields["count"]) == (59, 29)


@pytest.mark.parametrize(
    ("text", "code", "line", "count"),
    [
        ("Ann: well?\nBob: yes.\nAnn: so?\nBob: no.\nSummary: it was\nso\n", "MINUTES", 5, 2),
        ("ANN: so\nBOB: yes\nANN: it was. BOB: no\nBOB: well\n", "INSIDE", 3, 1),
        ("[0:01] so\n[0:02] it\nlevel 3\n[0:03] was\n[0:04] so\n", "LINES", 3, 1),
    ],
)
def test_what_is_left_is_counted_and_shown(
    text: str, code: str, line: int, count: int, read_text: ReadText
) -> None:
    read = read_text(text, None)
    notes = [d for d in read.diagnostics if d.code == f"SPEAKER-TEXT-{code}"]
    assert [(d.line, d.value.fields["count"]) for d in notes] == [(line, count)]
    assert all(d.value.entry.is_shown or d.severity == "warning" for d in notes)


@pytest.mark.parametrize(
    "text",
    [
        "Summary: it was\nAction items: none\n\nSummary: it was\nAction items: none\n",
        "".join(f">>>Time {n // 2}.06s: so it was\n" for n in range(12)),
        "Plum - a fruit\nPear - another\nFig - a third\nKiwi - a fourth\n",
    ],
)
def test_names_of_nobody_are_no_turns(text: str) -> None:
    assert detected(text) == "txt"


def test_what_the_user_says_is_not_overruled(read_text: ReadText) -> None:
    text = "a title\n\n" + "".join(
        f"N{n % 120}x: {line}\n\n" for n, line in enumerate(SENTENCES * 4)
    )
    assert len(turns(read_text, text)) == 240


@each_case("layout", LAYOUTS)
def test_every_row_compiles(layout: object) -> None:
    assert isinstance(layout, tuple)
    for pattern in layout[0]:
        assert compile_pattern(pattern).names


@each_case(
    ("pattern", "message"),
    [
        ("", "an empty one"),
        ("hello", "found none in 'hello'"),
        ("{begin}: {text}", "found {begin}"),
        ("{text} {text}", "found it twice"),
        ("{? {text}", "expected ?} after {?"),
        ("{text} ?}", "expected {? before ?}"),
        ("{start soon} {text}", "expected a time such as 0:00, ms or s, found 'soon'"),
    ],
)
def test_faults_of_patterns_are_named(pattern: str, message: str) -> None:
    with pytest.raises(PatternError) as caught:
        compile_pattern(pattern)
    assert message in str(caught.value)


@each_case(
    ("text", "unit", "seconds"),
    [
        ("1:02", "", 62), ("61:26", "", 3686), ("01:02:03,500", "", 3723.5), ("12.5", "", 12.5),
        ("12.5s", "", 12.5), ("1 minute 3 seconds", "", 63), ("1500", "ms", 1.5), ("1:00 PM", "", 46800),
        ("00:00:05-2", "", 5.2), ("00:00:01:05", "", 1.2), ("00:00:01:005", "", 1.005), ("2h 1m 1s", "", 7261),
    ],
)  # fmt: skip
def test_times(text: str, unit: str, seconds: float) -> None:
    assert parse_stamp(text, unit) == round(seconds * SECOND)


def test_rules_of_a_file() -> None:
    rules = parse_rules(
        "# an interview\npattern\n  {speaker} ({start}):\n  {text}\nskip Date: {_}\n"
        "begin ## Transcript\nstop ACTION ITEMS:\nblank ends\nclock\n"
    )
    assert [pattern.source for pattern in rules.patterns] == ["{speaker} ({start}):\n{text}"]
    assert (rules.begin, rules.stop) == (("## Transcript",), ("ACTION ITEMS:",))
    assert (rules.blank_ends, rules.clock, rules.inline) == (True, True, False)
    with pytest.raises(PatternError, match=r"line 1: expected a rule out of .*, found 'skpi'"):
        parse_rules("skpi x\n")


def test_milliseconds_are_read_as_such_where_seconds_are_no_pace(read_text: ReadText) -> None:
    text = "".join(
        f"Speaker {'AB'[n % 2]} [{n * 3000}.00 - {n * 3000 + 2500}.00]:\n{SENTENCES[n]}\n"
        for n in range(6)
    )
    read = read_text(text, "speaker-text")
    assert [(s.start, s.end) for s in read][:2] == [(0.0, 2.5), (3.0, 5.5)]
    assert "TIME-UNIT" in codes(read)


def test_lines_of_turns_inside_cells_are_a_table() -> None:
    text = "id,transcript\n" + "".join(
        f'{n},"Ann: hi there\nBob: so\nAnn: well\nBob: no\n"\n' for n in range(9)
    )
    source = BytesIO(text.encode())
    source.name = "calls.csv"
    assert formats.detect(source) == "csv"


def test_names_in_all_lines_need_one_that_returns(read_text: ReadText) -> None:
    text = ">> Ann: are we one?\n>> Bo: yes.\n>> Cy: so draw.\n>> Ann: well.\n"
    assert [speaker for speaker, *_ in turns(read_text, text, None)] == ["Ann", "Bo", "Cy", "Ann"]


def test_times_of_day_count_from_the_first(read_text: ReadText) -> None:
    text = "[2:00 PM] Ann: hi\n[2:05 PM] Bob: so\n[2:06 PM] Ann: yes\n"
    assert [start for _, start, *_ in turns(read_text, text)] == [0.0, 300.0, 360.0]


def test_times_of_seconds_in_brackets_begin_lines(read_text: ReadText) -> None:
    text = "[0.0s] well then\n[3.2s] so\n[8.5s] yes\n[12.0s] no\n"
    assert turns(read_text, text, None) == [
        (None, 0.0, None, "well then"), (None, 3.2, None, "so"), (None, 8.5, None, "yes"),
        (None, 12.0, None, "no"),
    ]  # fmt: skip
    numbered = "[1] well then\n[2] so\n[3] yes\n[4] no\n"
    assert detected(numbered) == "txt"


def test_labels_with_times_need_not_return(read_text: ReadText) -> None:
    text = "".join(
        f"00:00:{n:02}-00:00:{n + 1:02}，speaker{n}：\n\n    {SENTENCES[n]}\n" for n in range(4)
    )
    assert turns(read_text, text, None)[:2] == [
        ("speaker0", 0.0, 1.0, SENTENCES[0]), ("speaker1", 1.0, 2.0, SENTENCES[1]),
    ]  # fmt: skip


def test_a_name_before_a_time_has_no_colon(read_text: ReadText) -> None:
    text = "NVK: 00:01:30\n\nwelcome\n\nCal: 00:01:33\n\nhey\n\nNVK: 00:01:36\n\nso\n"
    assert [name for name, *_ in turns(read_text, text, None)] == ["NVK", "Cal", "NVK"]


@pytest.mark.parametrize("mark", ["*{}*", "_{}_", "**{}**", "**{}:**"])
def test_emphasised_names_alone_are_heads(read_text: ReadText, mark: str) -> None:
    parts = []
    for n in range(8):
        parts += [mark.format("Ann Lee" if n % 2 else "Bob"), SENTENCES[n], SENTENCES[n + 9]]
    read = turns(read_text, "# Town hall\n\n" + "\n\n".join(parts) + "\n", None)
    assert [(name, text) for name, _, _, text in read][:2] == [
        ("Bob", f"{SENTENCES[0]} {SENTENCES[9]}"), ("Ann Lee", f"{SENTENCES[1]} {SENTENCES[10]}"),
    ]  # fmt: skip


def test_emphasised_lines_that_do_not_return_are_words() -> None:
    parts = [f"**Chapter {n} of many**\n\n{SENTENCES[n]}" for n in range(8)]
    assert detected("\n\n".join(parts)) == "txt"


@pytest.mark.parametrize(
    "end", ["[Fim da Transcrição]", "**[End of transcription]**", "Ende des Interviews"]
)
def test_the_end_of_a_transcript_is_no_speech(read_text: ReadText, end: str) -> None:
    text = "**Ann:** hi\n\n**Bob:** so\n\n**Ann:** yes\n\n**Bob:** no\n\n" + end + "\n"
    assert turns(read_text, text, None)[-1] == ("Bob", None, None, "no")


def test_notes_below_a_rule_under_times_are_no_speech(read_text: ReadText) -> None:
    speech = "".join(f"[00:00:{10 * n}] {SENTENCES[n]}\n\n" for n in range(1, 6))
    notes = 'The questions of this talk:\n1. "How is it?"\n2. "Where is it?"\n'
    read = read_text(f"{speech}---\n\n{notes}", None)
    assert [" ".join(s.words) for s in read] == SENTENCES[1:6]
    assert "SPEAKER-TEXT-FOOTER" in codes(read)
    more = read_text(f"{speech}so it goes on\n\n---\n\n{SENTENCES[7]}\n", None)
    assert [*more][-1].words[-1] == SENTENCES[7].split()[-1]  # not every paragraph has a time


def test_pictures_of_a_font_and_escaped_rules_are_no_words(read_text: ReadText) -> None:
    text = "".join(f"**Ann:** {SENTENCES[n]}\n\n**Bob:** {SENTENCES[n + 9]}\n\n" for n in range(4))
    plain = [s.words for s in read_text(text, "markdown")]
    for sign in (r"\* \* \*", "\ue7c8\uea3f", r"\_\_\_"):
        marked = text.replace("**Bob:**", f"{sign}\n\n**Bob:**", 2)
        assert [s.words for s in read_text(marked, "markdown")] == plain, sign


def test_who_has_only_times_is_no_speaker(read_text: ReadText) -> None:
    pair = f"**Ann:** {SENTENCES[0]} [00:1{{}}]\n\n**Bob:** {SENTENCES[9]}\n\n"
    text = "".join(pair.format(n) for n in range(5)) + "**Break:** [02:22]\n\n" + pair.format(9)
    read = read_text(text.replace("[00:19]", "[02:40]"), "markdown")
    assert {s.speaker for s in read} == {"Ann", "Bob"}
    assert len([*read]) == 12
    assert "SPEAKER-TEXT-FOOTER" in codes(read)


def test_headings_between_turns_are_no_words(read_text: ReadText) -> None:
    text = "".join(
        f"## Part {n}\n\n**Ann:** {SENTENCES[n]}\n\n**Bob:** {SENTENCES[n + 9]}\n\n"
        for n in range(4)
    )
    read = read_text(text, "markdown")
    assert [" ".join(s.words) for s in read][:3] == [SENTENCES[0], SENTENCES[9], SENTENCES[1]]
    assert "SPEAKER-TEXT-FOOTER" in codes(read)


def test_a_text_in_italics_has_no_signs_around_it(read_text: ReadText) -> None:
    text = "> **Ann:** *how are you?*\n> **Bob:** *fine, *so* fine*\n" * 3
    assert [text for *_, text in turns(read_text, text, None)][:2] == [
        "how are you?", "*fine, *so* fine*",
    ]  # fmt: skip


def test_times_among_the_words_of_turns_are_no_words(read_text: ReadText) -> None:
    text = "".join(
        f"**{name}:** {SENTENCES[n]} [00:0{n}:00] and so[00:0{n}:30] on\n\n"
        for n, name in enumerate(["Ann", "Bob", "Ann", "Bob"])
    )
    read = read_text(text, None)
    assert " ".join(read[1].words) == f"{SENTENCES[1]} and so on"
    assert "STAMPS-INSIDE" in codes(read)
    back = read_text(text.replace("[00:03:30]", "[00:00:01]").replace("[00:02:00]", "[9:09]"), None)
    assert "[00:01:00]" in back[1].words


def test_names_alone_over_paragraphs_are_speakers(read_text: ReadText) -> None:
    names = ["Ann Lee", "Bob", "Ann Lee", "Cy Roe", "Bob", "Ann Lee", "Cy Roe", "Bob", "Cy Roe"]
    text = "# A talk\n\n" + "".join(f"{name}  \n{SENTENCES[n]}\n\n" for n, name in enumerate(names))
    assert [(name, text) for name, _, _, text in turns(read_text, text, None)] == [
        (name, SENTENCES[n]) for n, name in enumerate(names)
    ]
    lyrics = "".join(f"Let it be\n{SENTENCES[n]}\n\n" for n in range(9))
    assert detected(lyrics) == "txt"


def test_times_that_are_named_are_no_speakers(read_text: ReadText) -> None:
    text = "".join(f"Start: {n}.00, End: {n + 1}.40, Sentence: {SENTENCES[n]}\n" for n in range(4))
    assert turns(read_text, text, None)[1] == (None, 1.0, 2.4, SENTENCES[1])


def test_names_that_return_outweigh_lists_between_them(read_text: ReadText) -> None:
    text = "".join(
        f"{name}: {SENTENCES[n]}\n\n"
        + ("1. one point\n2. another\n3. more\n\n" if n % 4 == 0 else "")
        for n, name in enumerate(["Ann", "Bob", "Cy"] * 4 + ["Ann Lee"])
    )
    assert {name for name, *_ in turns(read_text, text, None)} == {"Ann", "Bob", "Cy", "Ann Lee"}


def test_times_in_escaped_brackets_are_no_words(read_text: ReadText) -> None:
    text = "".join(
        f"**{name}:** \\[0{n}:31\\] {SENTENCES[n]}\n\n"
        for n, name in enumerate(["Ann", "Bob", "Ann", "Bob"])
    )
    assert [text for *_, text in turns(read_text, text, None)] == SENTENCES[:4]


def test_fields_of_records_are_no_speakers_and_neither_reading_is_guessed(
    read_text: ReadText,
) -> None:
    records = "".join(f"category: c{n % 2}\ntext: {SENTENCES[n]}.\n\n" for n in range(6))
    meeting = "".join(f"Ann{n}: {SENTENCES[n]}.\n\nAnd {SENTENCES[n]}.\n\n" for n in (1, 2))
    meeting += "".join(f"{name}: {SENTENCES[4]}.\n\n" for name in ("Ann1", "Bob", "Bob", "Cy"))
    for text in (records, meeting):
        with pytest.raises(formats.AmbiguousFormatError) as caught:
            detected(text)
        assert caught.value.candidates == ("speaker-text", "txt")
        assert len(turns(read_text, text)) >= 6
        assert len(turns(read_text, text, "txt")) == 1


def test_names_before_sentences_in_all_lines_are_speakers_if_one_returns() -> None:
    names = ["Ann", "Bob", "Cy", "Dee", "Eve", "Ann"]
    sentences = "".join(f"{name}: {SENTENCES[n]}.\n" for n, name in enumerate(names))
    assert detected(sentences) == "speaker-text"


def test_a_scenario_above_turns_and_a_title_above_text_are_heads(read_text: ReadText) -> None:
    text = f"**Scenario:** {SENTENCES[0]}.\n\n" + "".join(
        f"**{name}:** {SENTENCES[n]}.\n\n" for n, name in enumerate(("Ann", "Bob") * 2)
    )
    assert [name for name, *_ in turns(read_text, text, "markdown")] == ["Ann", "Bob"] * 2
    for head in ("Title: so it was\n", "Kind: captions\nLanguage: en\n"):
        assert "TXT-LEFT" in codes(read_text(head + "\n".join(SENTENCES), "txt"))


def test_a_list_of_persons_below_a_title_in_any_language_is_a_head(read_text: ReadText) -> None:
    people = "Люди:\n- Ann: first\n- Bob: second\n- Cy: third\n\n"
    said = [f"{name}: {SENTENCES[n]}.\n\n" for n, name in enumerate(("Ann", "Bob", "Cy", "Ann"))]
    assert [name for name, *_ in turns(read_text, people + "".join(said))] == [
        "Ann", "Bob", "Cy", "Ann",
    ]  # fmt: skip


def test_everybody_speaks_although_the_head_lists_the_speakers(read_text: ReadText) -> None:
    text = "Participants: Ann, Bob\n\n" + "".join(
        f"{name}: {SENTENCES[n]}.\n" for n, name in enumerate(("Ann", "Bob", "All", "Ann", "Bob"))
    )
    assert [name for name, *_ in turns(read_text, text)] == ["Ann", "Bob", "All", "Ann", "Bob"]


def test_the_head_above_changes_of_speakers_is_no_speech(read_text: ReadText) -> None:
    text = "A talk\nSource: https://x.yz/a\n\nso it was\n" + ">> yes\nit was\n" * 4
    assert [words for _, _, _, words in turns(read_text, text)][:2] == ["so it was", "yes it was"]


def test_times_of_whole_minutes_without_the_pace_of_speech_are_told(read_text: ReadText) -> None:
    text = "".join(f"[00:{n:02}:00] A{n % 2}: so it was {'so ' * 12}\n" for n in range(5, 50, 3))
    slow = read_text(text, "speaker-text")
    assert [d.code for d in slow.diagnostics if d.code == "TIME-PACE"] == ["TIME-PACE"]
    even = text.replace(":00]", ":10]")
    assert "TIME-PACE" not in codes(read_text(even, "speaker-text"))


def test_what_a_recogniser_says_behind_a_name_is_no_part_of_the_pattern_shown() -> None:
    head = fold("[0:00 - 0:08] ANN (conf: 0.95): so")
    (row,) = (layout for layout in LAYOUTS if head_of(layout.name, head) and "codes" in layout)
    assert example_of(row.name, head) == "[{start} - {end}] {speaker} ({_}: {_}): {text}"


def test_lines_of_a_pattern_have_its_signs_and_its_beginning() -> None:
    """A pattern is only compiled for texts that have both."""
    values = {
        "start": ("0:01:02", "1:02.50"), "speaker": ("Q", "R", "Mr. EX", "問", "Ann"), "to": ("-",),
        "date": ("2024-05-01",), "id": ("7",), "text": ("so\tit is",), "_": ("x",),
    }  # fmt: skip
    values["end"] = values["start"]
    matched = with_lead = 0
    for pattern in {pattern for layout in LAYOUTS for pattern in layout.patterns}:
        plain = re.sub(r"\{\?|\?\}", "", pattern)
        listed = re.match(r"\{speaker ([^{}]*\|[^{}]*)\}", pattern)
        for n in range(5):
            each = {key: texts[n % len(texts)] for key, texts in values.items()}
            if listed:
                each["speaker"] = listed[1].split("|")[n % 2]
            parts = re.split(r"\{([a-z_]+)[^{}]*\}", plain)
            line = "".join(each[part] if k % 2 else part for k, part in enumerate(parts))
            if compile_pattern(pattern).lines[0].match(line):
                matched += 1
                with_lead += bool(leads_of(pattern))
                assert signs_of(pattern) <= {*line}, pattern
                assert line.startswith(leads_of(pattern) or ""), pattern
    assert matched > 300
    assert with_lead > 30


def test_names_alone_that_are_words_are_counted(read_text: ReadText) -> None:
    names = ("Ann Ex", "Bob Yy", "Ann Ex", "Cal Zed Fox", "Bob Yy", "Ann Ex")
    more = "And so it was, all day.\n\n"
    text = "\n\n".join(f"{name}\n\n{said}." for name, said in zip(names, SENTENCES, strict=False))
    read = read_text(text.replace("Bob Yy", f"{more}Bob Yy"), "speaker-text")
    assert [s.speaker for s in read] == ["Ann Ex", "Bob Yy", "Ann Ex", "Bob Yy", "Ann Ex"]
    (remark,) = [d for d in read.diagnostics if d.value.entry is NAMES_ALONE]
    assert (remark.line, remark.value.fields) == (15, {"count": 1, "text": "Cal Zed Fox"})


def test_a_name_of_one_turn_that_looks_like_the_others_is_a_speaker(read_text: ReadText) -> None:
    names = ("Ann Ex", "Bob Yy", "Ann Ex", "Cal Zed", "Bob Yy", "Ann Ex")
    text = "\n\n".join(f"{name}\n\n{said}." for name, said in zip(names, SENTENCES, strict=False))
    assert tuple(s.speaker for s in read_text(text, "speaker-text")) == names
