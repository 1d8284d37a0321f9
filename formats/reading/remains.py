"""Parts of texts that are read as words, but are no words: brackets, headings, names, translations.

Readers of plain text and of turns report what these functions find.
"""

from __future__ import annotations

import itertools
from collections import Counter

from formats.io.messages import BRACKETS_LEFT, MARKS_LEFT
from formats.io.source import Source
from formats.reading.directions import directions_in
from formats.reading.lines import HEADING as MARKDOWN_HEADING
from formats.reading.lines import SENTENCE_ENDS
from formats.reading.speakers import HEAD_NAMES, NOBODY, SONG_PARTS, is_label, is_sound
from formats.schema import lazy_pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

BRACKETS = lazy_pattern(
    r"\[(?!\W{0,3}[0-9]{1,3}:)[^\[\]\n]{0,60}\]|\{[^{}\n]{1,60}\}|【[^【】\n]{1,40}】|</?_?[^\W\d_][^<>\n]{0,60}>"
)
"""A part in brackets that prose does not have, but no time; round brackets are of prose, too."""
TAG_INSIDE = (
    r"<[A-Za-z][\w:-]{0,30}(?: [\w:-]{1,30}=(?:\"[^\"<>]{0,100}\"|'[^'<>]{0,100}')){1,9} ?/?>"
    r"|<v(?:\.[^\s<>]{1,60})? [^<>]{1,60}>|</[A-Za-z][\w:-]{0,30}>|<_[A-Za-z][\w-]{0,30}>"
)
"""A tag in a text: with attributes, of a voice, or the end of another."""
TAG = lazy_pattern(
    rf"{TAG_INSIDE}|<(?:[bisu]|em|strong|font|think(?:ing)?|thoughts?|reasoning)>"
    r"(?=[^<>]{0,2000}</)"
)
"""The same, and the beginning of one that ends in the same text."""
OPENING = frozenset("[{【<(（*")
NOTICE_OF_SERVICE = (
    r"Transcri(?:bed|pt) by (?:https?://)?[\w-]{1,40}\.(?:ai|com|io|app|net)\b.{0,100}"
    r"|.{0,100}\baudio (?:file was )?automatically transcribed by Sonix\b.{0,200}"
    r"|Sonix is the world.s .{1,200}|Automatically convert your mp3 files to text .{1,200}"
    r"|Auto-generated transcript\. .{0,100}"
    r"|This file is longer than [0-9]{1,4} minutes\. Go Unlimited .{1,120}"
)
NOTICE = lazy_pattern(rf"[\[(]?(?:{NOTICE_OF_SERVICE})[\])]?\Z")
"""A line in which the service that transcribed a recording names itself."""
ACTS = (
    *(
        "act",
        "actus",
        "acte",
        "acto",
        "jornada",
        "akt",
        "akten",
        "aufzug",
        "atto",
        "ato",
        "bedrijf",
    ),
    *(
        "näytös",
        "felvonás",
        "jednání",
        "dějství",
        "perde",
        "hồi",
        "действие",
        "акт",
        "дія",
        "πράξη",
    ),
)
"""Words for the acts of a play in several languages."""
SCENES = (
    *(
        "scoena",
        "scæna",
        "scene",
        "scène",
        "tableau",
        "escena",
        "cuadro",
        "szene",
        "auftritt",
        "bild",
        "scena",
    ),
    *("cena", "quadro", "scenen", "tablån", "tooneel", "toneel", "tafereel", "kohtaus", "kuvaelma"),
    *("jelenet", "odsłona", "výstup", "obraz", "sahne", "сцена", "явление", "картина", "ява"),
    *("σκηνή",),
)
"""Words for the scenes of a play, and for its pictures."""
FIRST_ORDINALS = (
    "first|primus|premi(?:er|ère)|primer[oa]|primeir[oa]|prim[oa]|erste[rs]?|första|første|eerste"
    "|ensimmäinen|első|pierwsz[aey]|první|birinci|перв(?:ое|ый|ая)|перша|πρώτη"
)
"""Words for the first of several parts in these languages."""
ORDINALS = (
    rf"{FIRST_ORDINALS}|second|third|fourth|fifth|sixth|seventh|last"
    "|secund(?:us|a)|terti(?:us|a)|quartus|quintus|deuxième|seconde|troisième|quatrième|cinquième|sixième|septième|huitième|neuvième|dixième"
    "|derni(?:er|ère)|segund[oa]|tercer[oa]|cuart[oa]|quint[oa]|sext[oa]|séptim[oa]|octav[oa]"
    "|últim[oa]|terceir[oa]|quart[oa]|sétim[oa]|second[oa]|terz[oa]|sest[oa]|settim[oa]|ottav[oa]"
    "|ultim[oa]|(?:zweit|dritt|viert|fünft|sechst|siebent|siebt|acht|neunt|zehnt|elft|zwölft|letzt)e[rs]?"
    "|andra|tredje|fjärde|femte|sjätte|sjunde|sista|anden|andet|annen|fjerde|sjette|syvende|siste"
    "|sidste|tweede|derde|vierde|vijfde|zesde|zevende|achtste|negende|tiende|laatste"
    "|toinen|kolmas|neljäs|viides|kuudes|viimeinen|második|harmadik|negyedik|ötödik|hatodik"
    "|hetedik|utolsó|drug[aei]|trzeci[ae]?|czwart[aey]|piąt[aey]|szóst[aey]|ostatni[ae]?"
    "|druhé|druhý|třetí|čtvrt[éý]|pát[éý]|ikinci|üçüncü|dördüncü"
    "|втор(?:ое|ой|ая)|трет(?:ье|ий|ья)|четв[её]рт(?:ое|ый|ая)|пят(?:ое|ый|ая)|шест(?:ое|ой|ая)"
    "|седьм(?:ое|ой|ая)|восьм(?:ое|ой|ая)|последн(?:ее|ий|яя)|друга|третя|четверта"
    "|δεύτερη|τρίτη"
)
NUMERALS = "[ivxlc]{1,6}|[0-9]{1,3}"
PARTS_OF_PLAYS = "|".join((*ACTS, *SCENES))
NUMBERED_PART = (
    rf"(?:(?i:(?:{PARTS_OF_PLAYS})[ \t]{{1,3}}"
    rf"(?:{NUMERALS}|one|two|three|four|(?:the )?(?:{ORDINALS}))"
    rf"|(?:(?:{ORDINALS})|(?:{NUMERALS})\.?)[ ](?:{PARTS_OF_PLAYS}))"
    r"(?:[ \t]{0,3}[.:,;—–-].{0,80})?"
    r"|(?:第[ ]?[0-9一二三四五六七八九十百]{1,4}[ ]?[幕场場]|제[ ]?[0-9]{1,3}[ ]?[막장]"
    r"|(?:الفصل|المشهد|מערכה|תמונה)[ ]\S{1,20})(?:[ :：\u3000].{0,40})?)[ \t]*\Z"
)
PART_OF_PLAY = lazy_pattern(NUMBERED_PART)
"""The title of an act or a scene with its number: ``ACT I. SCENE II. A road.``"""
TITLED_PARTS = "|".join(f"{word.upper()}|{word.capitalize()}" for word in (*ACTS, *SCENES))
"""Words for the parts of plays as titles begin with them."""
HEADING = lazy_pattern(
    rf"(?:{TITLED_PARTS}|CHAPTER|Chapter|PROLOGUE|EPILOGUE|VERSE|CHORUS|Verse|BRIDGE|INTRO|OUTRO"
    r"|Pre-Chorus|Strophe|Refrain|PART|Part)"
    r"(?:[ \t]+(?:[IVXLC]{1,6}|[0-9]{1,3}|ONE|TWO|THREE|FOUR|FIVE|One|Two|Three|Four|Five)\b"
    r"[.:]?.{0,60}"
    r"|[.:]?)[ \t]*\Z"
    r"|(?:INT|EXT|INT\./EXT|I/E)\. .{3,80}\Z"
    r"|(?:Chorus|Bridge|Intro|Outro)[.:]?(?:[ \t]+[0-9]{1,2})?[ \t]*\Z"
    rf"|{NUMBERED_PART}"
)
"""A heading of a play, a script or a song, alone on its line."""
SECTION = lazy_pattern(
    r"\W{0,4}(?:See also|References|External links|Further reading|Bibliography"
    r"|Siehe auch|Einzelnachweise|Weblinks|Literatur|Voir aussi|Références|Liens externes"
    r"|Notes et références"
    r"|Véase también|Referencias|Enlaces externos|Ver também|Referências|Ligações externas"
    r"|Voci correlate|Collegamenti esterni|См\. также|Примечания|Ссылки|Литература"
    r"|参见|參見|参考文献|參考文獻|外部链接|外部連結|関連項目|脚注|外部リンク)"
    r"(?:[ ]?\[?[Ee]dit\]?)?\W{0,4}\Z"
)
"""The title of a section below an article of an encyclopaedia."""
BEGINS_OF_PARTS = frozenset("第제امت")
"""First letters of headings in scripts without capitals."""
LONGEST_PART = 120
WORDS_OF_PARTS = frozenset((*ACTS, *SCENES))
"""The characters of a title of an act, and a word that it has in scripts with capitals."""
LABEL_WITHIN = lazy_pattern(
    r"(?<![^\W_])((?:SPEAKER|Speaker|speaker|PERSON|Person|VOICE|Voice|INTERVIEWER|Interviewer|MODERATOR"
    r"|Moderator|HOST|Host|GUEST|Guest)(?:[ _][0-9A-Z]{1,2})?):(?=[ \t])"
)
NAME_WITHIN = lazy_pattern(
    r"(?:(?<=[.?!…\"”] )|(?<=[.?!…]))[-–]?"
    r"([A-Z][A-Za-z.'-]{1,20}(?: [A-Z][A-Za-z.'-]{0,20}){0,2}):(?=[ ]|[A-Z](?:[a-z]|[ ]))"
)
UNSPACED_WITHIN = lazy_pattern(
    r"(?<=[.?!。？！…”」])[ ]?([\u3400-\u9fff]{1,4}|[\u30a1-\u30fc]{2,8}|[\uac00-\ud7af]{2,4})[:：]"
)
"""A name with a colon behind a sentence, with capitals, or in Chinese, Japanese or Korean."""
PAUSES, FEWEST_PAUSES = frozenset(("/", "//", "///")), 5
"""Signs of pauses between words, and the fewest of them."""
NUMBER_ALONE = lazy_pattern(r"[0-9]{1,9}(?:[.,][0-9]{1,20})?\Z")
FEWEST_WITHIN, FEWEST_OF_NAME, FEWEST_OF_ONE = 2, 3, 10
"""The fewest generic names inside lines that are reported, and how often other names return, or a
single one.
"""
ENTITY = lazy_pattern(r"&(?:nbsp|amp|quot|apos|[lg]t|#[0-9]{2,5}|#x[0-9A-Fa-f]{2,4});")
"""A character as HTML writes it."""
ESCAPE = "&#27;"
ESCAPES = {ESCAPE: "\x1b"}
"""The character before codes of a terminal, as it is written where such codes are no words."""
COLOUR = lazy_pattern(r"\x01?\x1b\[[0-9;?]{0,20}[A-Za-z]\x02?")
"""A code by which a terminal colours a text, and the marks around it."""
KEY = lazy_pattern(
    r"[ \t]*(?:[-*+>][ \t]+)?(?P<marks>(?:\*\*|__)?)(?P<name>[^\W\d_][\w\u0900-\u0dff ()/-]{0,40})"
    r"(?:(?::(?:\*\*|__)?|(?:\*\*|__):)(?:[ \t]|\Z)|：)"
)
MAY_SPEAK = lazy_pattern(
    r"(?i)(?:host|model|author|autor(?:in|a)?|auteur|artist|interpret|present|speakers|transcript\w*"
    r"|audio|text)\s{0,3}\Z"
)
SENTENCES = lazy_pattern(r"\w[.?!…] .{0,2000}[.?!…][\"”’)]?\s{0,9}\Z")
"""A name of a field that may be that of a speaker or of the speech, and several sentences."""
TRANSCRIPTS = (
    "transcri|transkri|trascri|расшифров|стенограмм|文字起こし|書き起こし|逐字|文稿|文字记录|전사"
    "|녹취|تفريغ"
)
"""Parts of the word for a transcript in several languages."""
FIRST = lazy_pattern(
    "(?i)"
    r"\s{0,9}(?:(?:(?:sure|certainly|of course|absolutely|okay)(?: thing)?[!,.] )?"
    r"(?:video |episode |podcast |lecture |talk |meeting )?(?:title:(?:\s|\Z)"
    rf"|(?:[^.!?:]{{0,30}}(?:{TRANSCRIPTS})[^.!?:]{{0,20}}"
    r"|(?:(?:final|full|complete|whole) )?text|全文|完整文[字本])[:：]\s{0,9}\Z)"
    r"|(?:[^:]{0,40}:[ \t])?https?://\S{1,400}\s{0,9}\Z"
    rf"|(?:[^.!?:]{{0,30}}(?:{TRANSCRIPTS})[^:]{{0,30}} )?"
    r"[^\s/\\]{1,100}\.(?:wav|mp3|m4a|mp4|flac|ogg)[:：]?\s{0,9}\Z"
    r"|(?:transcript(?:ion)?|transkript|transcripción|transcrição|trascrizione|lyrics|letra|paroles"
    r"|liedtext|songtext|testo|текст песни|расшифровка|歌词|歌詞|가사|文字记录|文字起こし)"
    r"[:：]?\s{0,9}\Z"
    r"|\S.{0,60} (?:lyrics|songtext|liedtext|letra|歌词|歌詞|가사)\s{0,9}\Z)",
)
"""A line that alone is the head of a text."""
LONGEST_HEAD, LONGEST_TITLE, LONGEST_LINE_OF_HEAD = 60, 100, 600
FEWEST_FIELDS, MOST_ADDRESSES = 3, 3
"""The fewest fields of a paragraph that is the head of a document, and the most addresses in it."""
SHORTEST_OF_ADDRESS = 4
"""The fewest letters of a title in an address."""
UNDERLINE = lazy_pattern(r"([-=─━═])\1{4}")
SPEECH = lazy_pattern(
    rf"(?i)\W{{0,200}}(?:[^\W\d_]{{1,20}} ){{0,3}}(?:{TRANSCRIPTS}|dialogue)[^\W\d_]{{0,12}}"
    r"(?: (?:begin|start)s)?\W{0,200}\Z"
)
"""The title of a section that is the transcript: ``FULL TRANSCRIPT:``."""
BOOK = lazy_pattern(
    r"[ \t]{0,40}(?:\*{3}[ ]?(?:(?P<start>START)|(?P<end>END))[ ]OF[ ](?:THE |THIS )?"
    r".{0,30}(?:E-?BOOK|E-?TEXT|BOOK)\b|\*{1,3}(?P<print>END)[ *]{1,3}(?:OF )?THE SMALL PRINT\b"
    r"|\*{3}[ ]?(?P<licence>START): FULL LICENSE\b"
    r"|(?P<bare>(?=[EFSTU])(?i:(?:the )?end of (?:the |this )?project gutenberg"
    r"(?:['’]s|(?:-tm)? (?:e-?book|e-?text|edition))\b|ende dieses projekt gutenberg\b"
    r"|updated editions will replace the previous one"
    r"|(?:start: |the )?full (?:project gutenberg )?license\W{0,9}\Z"
    r"|section 1\.[ ]{1,3}general terms of use and redistributing)))"
)
"""The line above or below a published book: ``*** START OF THE PROJECT GUTENBERG EBOOK``; also the
last line of what older ones print above it, and its end or the licence in words."""
PRODUCED = lazy_pattern(
    r"(?i)\s{0,9}(?:(?:this )?e-?(?:book|text) (?:was )?)?(?:produced|prepared|transcribed)"
    r" (?:by|from)\b"
)
"""How a paragraph begins that tells, below the first of these lines, who typed a book."""
EDGES_OF_BOOKS = frozenset("*EFSTU")
"""The first characters of such lines."""
TIME_OF_DAY = lazy_pattern(
    r"\s{0,40}[\[(]?[0-9]{1,2}[:.][0-9]{2}[ ]?(?:[ap]\.?m\.?|[AP]\.?M\.?|Uhr|h|heures)"
    r"(?:[ ]?\(?[A-Z]{2,5}\)?)?[\])]?\s{0,9}\Z"
)
"""A line that is only a time of day, as above remarks: ``11:21 A.M. EDT``."""
SETTING = lazy_pattern(r"[\[<{][ ]?[\w .-]{1,40}[ ]?=[ ]?[^\[\]<>{}\n]{1,60}[\]>}]\s{0,9}\Z")
"""A setting in brackets: ``[noise=True]``."""
PART = lazy_pattern(r"\[([^\W\d_][^\[\]\n:]{0,40})(?::[^\[\]\n]{0,60})?\]\s{0,9}\Z")
"""A line in square brackets that may be the title of a part: ``[Chorus]``, ``[Verse 1: Ann]``."""
SONG_PART = lazy_pattern(
    r"(?i)[\[({*#~<【（ \t-]{0,4}(?:(?:(?:final|last|pre|post)[- ]?)?"
    rf"(?:{SONG_PARTS})|[0-9]{{1,2}}(?:番|절|[.)](?![0-9]))|lời(?=[ ][0-9]))"
    r"(?:[ ]?(?:[0-9]{1,2}|[ivx]{1,4}|[a-d]))?(?:[ ]?[(（]?[x×][ ]?[0-9]{1,2}[)）]?)?"
    r"[ ]?[\])}*~>】）:：. \t-]{0,5}\Z"
)
"""A line that is only the name of a part of a song: ``Chorus:``, ``(Verse 2)``."""
LABEL = lazy_pattern(r"[^\W\d_a-z][^\Wa-z]{0,20}(?:[ &+/]{1,3}[^\Wa-z]{1,20}){0,3}[:：]\s{0,9}\Z")
"""A line that is only a name in capitals with a colon."""
VERSE_NUMBER = lazy_pattern(
    r"\A[ \t]{0,20}([0-9]{1,5})(?=[^\W\d_])|[ \t]{3,200}([0-9]{1,5})[ \t]{0,20}\Z"
)
"""A number directly before a line of verse, or behind a gap at its end."""
DIGIT = lazy_pattern("[0-9]")
STEPS_OF_VERSES, FEWEST_OF_VERSES = (5, 10), 3
"""The numbers of verses that have one, and the fewest of these numbers."""
ROMAN = "[IVXL]{1,6}"
SLIDES = (
    "slide|page|folie|seite|diapositiv[ao]|diapo|p[áa]gina|pág|слайд|страница|стр|スライド|ページ|슬라이드|"
    "페이지|幻灯片|投影片|شريحة|صفحة|שקף|עמוד|slajd|strona|slayt|sayfa|trang|pp?"
)
COUNTED_LINE = lazy_pattern(
    rf"(?i)(?P<before>\W{{0,4}}(?:(?P<word>{SLIDES})[ .:#№_-]{{0,3}}|第[ ]?)?)"
    rf"(?P<number>[0-9]{{1,4}}|(?-i:{ROMAN})(?=[.)]?\s{{0,9}}\Z))(?P<after>[ ]?(?:页|頁|枚目|쪽))?"
    r"(?:[^\w\n]{0,9}\Z|(?P<title>[ ]?[:：.|–—-]{1,2}[ ]?\S.{0,80})\Z)"
)
"""A line that only counts: ``Slide 3``, ``第3页``, ``[3]``, ``III.``; a slide may have a title."""
FEWEST_NUMBERS, SHARE_OF_COUNTS = 3, 0.9
"""The fewest lines that count, and the share of the numbers that are one more than the last."""
CHORD = lazy_pattern(
    r"[A-G][#b♯♭]?(?:maj|min|dim|aug|m|M|°|ø|Δ|\+)?[0-9]{0,2}(?:(?:sus|add|maj|b|#|no)[0-9]{0,2})?"
    r"(?:/[A-G][#b♯♭]?)?\Z"
)
BETWEEN_CHORDS = frozenset(("|", "||", "|:", ":|", "%", "-", "/", "N.C.", "x2", "(x2)", "x4"))
STRINGS = lazy_pattern(r"[EADGBe]?[ ]?\|[-0-9hpbrxX/\\~|()^. ]{6,}\s{0,9}\Z")
"""A chord, what stands beside chords, and the line of a string of a guitar."""
CHORD_INSIDE = lazy_pattern(r"\[([A-G][^\[\]\s]{0,9})\]")
DIRECTIVE = lazy_pattern(r"\{[a-z_]{1,30}(?:[ ]?:[^{}\n]{0,100})?\}\s{0,9}\Z")
"""A chord in brackets inside a text, and a line in braces, as in the format ChordPro."""
SIGNS_ALONE = frozenset("\"'“”„«»‘’■□◆◇●○◎★☆▲△▼▽※♪♫♬•·†")
RULE_SIGNS = frozenset("-=_*~#+─━═")
SHORTEST_RULE, LONGEST_RULE = 3, 200
LETTER_FIRST = lazy_pattern(r"([A-Z]{1,4}[0-9]{0,2})[ \t]+\S")
POINT_BEHIND = lazy_pattern(
    r"((?:(?:[A-Z]|Mrs?|Ms|Dr|Mme|Mlle|Sra?|Hr|Fr)\. )?"
    r"[^\W\d_][^\W\d_]{1,14}(?: [^\W\d_][^\W\d_]{1,14}){0,2}(?: ?[0-9]{1,2})?)\."
    r"(?= +\S|\Z)"
)
SHARE_OF_POINTS = 0.1
"""A name with a point at the beginning of a line, and the least share of such lines."""
TITLE_FIRST = lazy_pattern(
    r"[A-Z][\w.'’-]{1,20}(?: (?:(?:of|for|and|the|de|von|&) )?[A-Z][\w.'’-]{0,20}){0,3}"
    r"(?:, [A-Z][^,.:;?!\n]{2,60}?)??(?= [A-Z])"
)
"""Capitalised words at the beginning of a line, perhaps with a role, before another capital."""
SHARE_OF_UNMARKED, LONGEST_ROLE = 0.05, 8
"""The least share of lines with such names, and the most words of a name with its role."""
CHAIRS = frozenset(("Operator", "Moderator", "Interviewer", "Host", "Chair", "Facilitator"))
LETTER_WORDS = frozenset("AIOEYUV")
"""Letters that are words of some language."""
SHARE_OF_LETTERS = 0.6
NUMBERED = lazy_pattern(r"([0-9]{1,6})(?:([.)、．])[ \t]*(?![0-9])|[ \t]+)\S")
FEWEST_NUMBERED, SHARE_OF_NUMBERED, STEPS, STEPS_OF_BARE = 3, 0.02, 0.5, 0.9
"""The fewest numbers of a list, their share of the lines, and how many are one more than the last,
with a sign behind them and without."""
DASH_FIRST = r"(?:[–—](?=[\"“«¿¡…]?[^\W\d_])|-(?=[\"“«¿¡…]?[A-Z\u00c0-\u00de\u0410-\u042f]))"
"""The dash of another speaker directly before a text."""
STAR_FIRST = r"[*•](?=[^\W\d_][^*\n]{9,4000}\Z)"
"""The sign of an item directly before its text, which no other star ends."""
SIGN_FIRST = lazy_pattern(
    rf"(?:[-*+>•‣◦▪●–—]{{1,3}}|->|\[[ xX]?\])(?=[ \t\xa0])|{DASH_FIRST}|{STAR_FIRST}"
)
LIST_SIGNS = frozenset("-*+>[•‣◦▪●–—")
SHARE_OF_SIGNS = 0.1
CODE = lazy_pattern(
    r"[^\W\d_]*[0-9_]|[^A-Z\W]+[A-Z]|[^\w]+\Z|\w{1,40}=\S|[^\s,]{1,40},[^\s,]{1,40},[^\s,]"
)
FEWEST_CODES, SHARE_OF_CODES = 10, 0.6
"""The fewest numbers and codes that are reported, and their share of the words."""
PART_FIRST = lazy_pattern(r"(?:\([^()\n]{1,30}\)|[\w'’-]+)(?= )")
FEWEST_BEGINNINGS, SHARE_OF_PARTS, SHARE_OF_WORD = 8, 0.5, 0.9
"""The fewest texts that begin alike, and their share if they begin with brackets or with a word."""
MARK_BEGINS = frozenset('[](<>-&_="#*\\/~xX×0123456789|•‣◦▪■●◆★☆※→⇒►▶✓☐☑♪♫♬')
"""The first characters of marks, besides that of addresses: most words have none of them."""
MARK = lazy_pattern(
    r"[\[(<][0-9]{1,3}(?::[0-9]{2}){1,2}(?:[.,][0-9]{1,9})?[\])>]:?\Z|-->\Z|>>+\Z|[-=_]{4,}\Z"
    r"|[0-9]{1,2}:[0-9]{2}:[0-9]{2}(?:[.,][0-9]{1,9})?\Z|[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:"
    r"|</?[A-Za-z]{1,20}(?:=[^<>]{1,40})?/?>|&(?:nbsp|amp|quot|[gl]t|#[0-9]{2,5});|https?://"
    r"|[(\[]?[xX×][0-9]{1,2}[)\]]?[.,]?\Z|[(\[][0-9]{1,2}[xX×][)\]][.,]?\Z|\*\*\w|__[^\W_]|#{1,6}\Z|\[[0-9]{1,6}\.[0-9]{1,9}s?\]?\Z|\"[a-z_]{1,30}\":\Z"
    r"|\[(?:WARN|WARNING|INFO|ERROR|DEBUG)\]|\[(?:S|(?:SPEAKER|Speaker)[_-]?)[0-9]{1,3}\]:?\Z|[♪♫♬|•‣◦▪■●◆★☆※→⇒►▶✓☐☑*=~/\\]+\Z"
)
"""Marks that are no words: ``♪``, ``>>``, ``**so``, ``</b>``, ``[0:12]``, ``//``, ``"text":``,
times with hours, addresses, and the dates and levels of logs."""
CODE_WORD = lazy_pattern(r"[a-z]{2,30}(?:_[a-z]{2,30}){1,9}\Z")
"""Words in small letters with underscores between them, such as ``speaker_change``."""
DASHES = frozenset("-–—")
ENDS_OF_SENTENCES = frozenset(".?!…-–—\"”’')]♪")
"""A dash alone, and what ends the text before the dash of another speaker."""
MORPHEME = lazy_pattern(r"[A-Za-z']{2,30}/(?:3?s|z|ed|ing|en|n't|h?'[a-z]{1,2})[.,;:?!*\]]{0,3}\Z")
"""A word with an ending behind a slash, as SALT writes it: ``go/ing``."""
FEWEST_MARKS, SHARE_OF_MARKS = 3, 0.001
"""The fewest marks that are reported, and their share; one time in brackets is enough."""
WORD = lazy_pattern(r"[^\W\d_]+")
LATIN = lazy_pattern(r"[A-Za-z\u00c0-\u024f]")
KANA, HAN = lazy_pattern(r"[\u3041-\u30ff]"), lazy_pattern(r"[\u3400-\u9fff]")
LETTER = lazy_pattern(r"[^\W\d_]")
FEWEST_PAIRS, SHARE_OF_PAIRS, SHARE_OF_KANA = 3, 0.8, 0.1
FEWEST_FORMS = 10
FEWEST_OF_TWO, SHARE_OF_TWO, MOST_SCRIPTS = 4, 0.6, 2
"""The fewest lines in two scripts, and their share."""
COMMONEST, FEWEST_COMMON, SHARE_OF_COMMON, MOST_SHARED = 25, 60, 0.25, 0.15
"""The number of the commonest words, the fewest words, their share, and the largest overlap."""


def brackets_in(texts: Iterable[str]) -> Counter[str]:
    """Count the parts in brackets inside texts, and directions in round brackets or asterisks."""
    parts: Counter[str] = Counter()
    for text in texts:
        if not OPENING.isdisjoint(text):
            found = {match.start(): match[0] for match in BRACKETS.finditer(text)}
            for direction in directions_in(text):
                found.setdefault(direction.start(), direction[0])
            parts.update(found.values())
    return parts


def say_brackets(source: Source, texts: Iterable[str]) -> None:
    """Report the parts in brackets and the directions inside texts."""
    parts = brackets_in(texts)
    if parts:
        source.log.say(BRACKETS_LEFT, None, count=parts.total(), text=parts.most_common(1)[0][0])


def without_entities(lines: Iterable[tuple[int, str]]) -> Iterator[tuple[int, str]]:
    """Yield numbered lines with characters for the entities of HTML, without codes of colours."""
    for number, line in lines:
        if "\x1b" in line:
            line = COLOUR.sub("", line)
        yield number, with_characters(line) if "&" in line else line


def with_characters(text: str) -> str:
    """Return a text with characters for the entities of HTML.

    >>> with_characters("Ann &amp; Ben&#39;s")
    "Ann & Ben's"
    """
    if ENTITY.search(text) is None:
        return text
    from html import unescape

    return ENTITY.sub(lambda match: unescape(match[0]) or ESCAPES.get(match[0], ""), text)


def is_act(line: str) -> bool:
    """Return True for the title of an act or a scene with its number.

    >>> is_act("ACT I. SCENE II. A road."), is_act("Act one was long"), is_act("第二幕")
    (True, False, True)
    >>> is_act("ANDRA SCENEN"), is_act("2. felvonás"), is_act("TWEEDE BEDRIJF.")
    (True, True, True)
    """
    if len(line) > LONGEST_PART:
        return False
    if line[:1] not in BEGINS_OF_PARTS:
        words = line.split(None, 2)[:2]
        if WORDS_OF_PARTS.isdisjoint(word.rstrip(".,:;-–—").lower() for word in words):
            return False
    return PART_OF_PLAY.match(line) is not None


def with_entities(text: str) -> str:
    r"""Return a text from which `with_characters` makes the same text again.

    >>> with_entities("Ann & Ben"), with_entities("Ann &amp; Ben")
    ('Ann & Ben', 'Ann &amp;amp; Ben')
    >>> with_entities("a word that a terminal takes for a command: \x1b[2J")
    'a word that a terminal takes for a command: &#27;[2J'
    """
    if "&" in text:
        text = ENTITY.sub(lambda match: f"&amp;{match[0][1:]}", text)
    return text.replace("\x1b", ESCAPE)


def is_rule(line: str) -> bool:
    """Return True for a line of signs, or a title with such signs on both sides.

    >>> is_rule("-----"), is_rule("--- so ---"), is_rule("■"), is_rule("so")
    (True, True, True, False)
    """
    text = line.strip()[:LONGEST_RULE].replace("\\", "")
    signs = text.replace(" ", "")
    sign = signs[:1]
    if sign in SIGNS_ALONE:
        return SIGNS_ALONE.issuperset(text)
    if sign not in RULE_SIGNS or len(signs) < SHORTEST_RULE:
        return False
    if RULE_SIGNS.issuperset(signs):
        return True
    inner = text.strip(sign)
    is_ruled = text.startswith(SHORTEST_RULE * sign) and text.endswith(SHORTEST_RULE * sign)
    return is_ruled and inner.strip() != inner and any(map(str.isalpha, inner))


def is_part(line: str, is_below_blank: bool) -> bool:
    """Return True for the name of a part of a song, and for a title in brackets, but no sound.

    Titles that are no parts of songs are below a blank line.
    """
    if SONG_PART.match(line):
        return True
    part = PART.match(line) if line[:1] == "[" else None
    if part is None or is_sound(part[1]):
        return False
    return is_below_blank or bool(HEADING.match(part[1]) or NOBODY.match(part[1]))


def labels_of_parts(lines: Sequence[str]) -> frozenset[str]:
    """Return the lines in capitals with a colon below blank lines, if one names a part of a song.

    The others say who sings: ``CHOIR:``.

    >>> sorted(labels_of_parts(["SOLO:", "so it was", "", "CHOIR:", "so it is", "NO: not"]))
    ['CHOIR:', 'SOLO:']
    """
    rows = zip(("", *lines), lines, strict=False)
    labels = {line.strip() for above, line in rows if not above.strip() and LABEL.match(line)}
    return frozenset(labels if any(map(SONG_PART.match, labels)) else ())


def have_verse_numbers(lines: Iterable[str]) -> bool:
    """Return True if every fifth or tenth line of verse has its number.

    >>> have_verse_numbers(["5so it was", "and so", "10it is", "well", "so   15"])
    True
    """
    matches = (VERSE_NUMBER.search(line) for line in lines if DIGIT.search(line))
    numbers = [int(match[1] or match[2]) for match in matches if match is not None]
    steps = [b - a for a, b in itertools.pairwise(numbers)]
    step, count = Counter(steps).most_common(1)[0] if steps else (0, 0)
    are_steps = count >= SHARE_OF_COUNTS * len(steps) and step in STEPS_OF_VERSES
    return are_steps and len(numbers) >= FEWEST_OF_VERSES and not any(n % step for n in numbers)


def without_verse_number(line: str) -> str:
    """Return a line without the number of a verse."""
    return VERSE_NUMBER.sub("", line)


def counts_between(lines: Sequence[str]) -> frozenset[str]:
    """Return the forms of lines that count slides, pages or stanzas, with other lines between.

    >>> counts_between(["Slide 1", "So it was.", "Slide 2", "Well.", "Slide 3", "Thanks."])
    frozenset({'slide 0'})
    """
    numbers: dict[str, dict[int, int]] = {}
    for n, line in enumerate(filter(str.strip, lines)):
        if (counted := counted_form(line)) is not None:
            form, number = counted
            numbers.setdefault(form, {})[n] = number
    return frozenset(
        form for form, places in numbers.items()
        if len(places) >= FEWEST_NUMBERS and min(places.values()) <= FEWEST_NUMBERS
        and _are_many(b == a + 1 for a, b in itertools.pairwise(places.values()))
        and _are_many(b > a + 1 for a, b in itertools.pairwise(places))
    )  # fmt: skip


def _are_many(are_so: Iterable[bool]) -> bool:
    steps = list(are_so)
    return sum(steps) >= SHARE_OF_COUNTS * len(steps)


def counted_form(line: str) -> tuple[str, int] | None:
    """Return the form of a line that only counts, with 0 for the number, and the number.

    >>> counted_form("III."), counted_form("■P-02"), counted_form("Slide 3: so")
    (('i', 3), ('■p-0', 2), ('slide 0', 3))
    """
    may_count = len(line) <= LONGEST_TITLE and (DIGIT.search(line) or line.strip(" \t.)").isupper())
    match = COUNTED_LINE.match(line) if may_count else None
    if match is None or (match["title"] and not match["word"]):
        return None
    number, before = match["number"], match["before"].lstrip().casefold()
    if not number.isdigit():
        return f"{before}i", _value_of_roman(number)
    return f"{before}0{match['after'] or ''}", int(number)


def _value_of_roman(number: str) -> int:
    """Return the value of a Roman number.

    >>> [_value_of_roman(number) for number in ("III", "IV", "IX", "XL")]
    [3, 4, 9, 40]
    """
    values = [{"I": 1, "V": 5, "X": 10, "L": 50}[letter] for letter in number]
    return sum(-a if a < b else a for a, b in zip(values, [*values[1:], 0], strict=True))


def is_of_chords(line: str) -> bool:
    """Return True for a line of chords, or of a string of a guitar.

    >>> is_of_chords("Am  F/C  G7"), is_of_chords("|: C | G :|"), is_of_chords("Am Abend")
    (True, True, False)
    """
    words = line.split()
    chords = sum(CHORD.match(word) is not None for word in words)
    are_all = chords > 0 and chords + sum(word in BETWEEN_CHORDS for word in words) == len(words)
    return are_all or ("|" in line and STRINGS.match(line) is not None)


def have_chords(lines: Sequence[str]) -> bool:
    """Return True if a text has several lines of chords, or chords in brackets inside lines."""
    chords = [line for line in lines if line.strip() and is_of_chords(line)]
    several = sum(len(line.split()) > 1 or "|" in line for line in chords)
    if len(chords) >= FEWEST_NUMBERS and 2 * several >= len(chords):
        return True
    inside = [name for line in lines if "[" in line for name in CHORD_INSIDE.findall(line)]
    return len(inside) >= FEWEST_NUMBERS and all(map(CHORD.match, inside))


def head_of_document(lines: list[str], first: int = 0, *, is_markdown: bool = False) -> int:
    """Return the number of the last line of a document's heading; 0 if it has no heading.

    The heading consists of lines such as ``Date: 5 May``; blank lines and titles may separate them.
    In Markdown, bold names are enough; in plain text, a title alone is enough.
    """
    if not is_markdown and (last := _above_rule(lines[:LONGEST_HEAD])):
        return _with_title_below(lines, last)
    if not is_markdown and (last := _block_of_fields(lines) or _above_time_of_day(lines)):
        return _with_title_below(lines, last)
    last, count = 0, 0
    for number, line in enumerate(lines[first : first + LONGEST_HEAD], first + 1):
        if not line.strip() or (is_markdown and MARKDOWN_HEADING.match(line)):
            continue
        match = KEY.match(line) if ":" in line or "：" in line else None
        is_key = match is not None and (
            HEAD_NAMES.match(match["name"]) is not None or (is_markdown and match["marks"] != "")
        )
        if is_key and match is not None and MAY_SPEAK.match(match["name"]):
            is_key = SENTENCES.search(line, match.end()) is None
        if not is_key and not is_markdown and len(line) <= LONGEST_LINE_OF_HEAD:
            is_key = (MARKDOWN_HEADING.match(line) or FIRST.match(line)) is not None
        if is_key and "://" in line and _is_below_speech(lines[:number]):
            return 0
        if not is_key and not is_markdown and line[:1] in "[<{":
            is_key = SETTING.match(line) is not None
        if not is_key and (count or number > first + 3):
            break
        if is_key:
            last, count = number, count + 1
    is_titled = (
        count == 1
        and not is_markdown
        and (
            FIRST.match(lines[last - 1]) is not None
            or (
                not any(map(str.strip, lines[: last - 1]))
                and not "".join(lines[last : last + 1]).strip()
            )
        )
    )
    if is_markdown and count == 1:
        below = next(filter(str.strip, lines[last:]), "")
        is_titled = is_rule(below) and RULE_SIGNS.issuperset(below.replace(" ", ""))
    end = _end_of_fields(lines, last) if count > 1 else last if is_titled else 0
    if is_markdown:
        return end
    titled = _with_words_of_address(lines, end)
    return titled if titled > end else _with_title_below(lines, end)


def _with_words_of_address(lines: Sequence[str], last: int) -> int:
    """Return the number of the last line below an address whose words are those of the address.

    >>> _with_words_of_address(["https://a.example/the-bridge", "The Bridge", "So it was."], 1)
    2
    """
    address = lines[last - 1].casefold() if last else ""
    if "://" not in address:
        return last
    known = "".join(filter(str.isalnum, address.rpartition("://")[2].partition("/")[2]))
    for number, line in enumerate(lines[last : last + MOST_ADDRESSES], last + 1):
        words = "".join(filter(str.isalnum, line.casefold()))
        if line.strip() and (len(words) < SHORTEST_OF_ADDRESS or words not in known):
            break
        last = number if words else last
    return last


def _is_below_speech(lines: Sequence[str]) -> bool:
    """Return True if a sentence is above the last line, or the lines are a list of addresses."""
    addresses = sum("://" in line for line in lines)
    return addresses > MOST_ADDRESSES or any(x.rstrip().endswith(SENTENCE_ENDS) for x in lines[:-1])


def _above_time_of_day(lines: Sequence[str]) -> int:
    """Return the number of the first line that is only a time of day, below a brief head.

    >>> _above_time_of_day(["Remarks in Bern", "", "11:21 A.M. EDT", "", "Good morning."])
    3
    """
    for number, line in enumerate(lines[:LONGEST_HEAD], 1):
        if TIME_OF_DAY.match(line):
            return number if number > 1 and any(map(str.strip, lines[number:])) else 0
        if len(line.strip()) > LONGEST_TITLE or line.rstrip().endswith((*SENTENCE_ENDS, ",")):
            return 0
    return 0


def _block_of_fields(lines: Sequence[str]) -> int:
    """Return the number of the last line of the first paragraph if it has only brief fields.

    Their names differ, and a third of them are names of fields: ``Title: …``, ``Preacher: …``.

    >>> _block_of_fields(["Title: A", "Preacher: B", "Text: Luke 5", "", "So it was."])
    3
    """
    begin = next((n for n, line in enumerate(lines[:LONGEST_HEAD]) if line.strip()), 0)
    block = list(itertools.takewhile(str.strip, lines[begin:LONGEST_HEAD]))
    fields = [KEY.match(line) if len(line) <= LONGEST_TITLE else None for line in block]
    names = {match["name"].casefold() for match in fields if match is not None}
    known = sum(HEAD_NAMES.match(name) is not None for name in names)
    is_over = any(map(str.strip, lines[begin + len(block) :]))
    are_fields = len(names) == len(block) >= FEWEST_FIELDS and 3 * known >= len(block)
    are_fields = are_fields and not any(
        MAY_SPEAK.match(match["name"]) and SENTENCES.search(match.string, match.end())
        for match in fields if match is not None
    )  # fmt: skip
    return begin + len(block) if are_fields and is_over else 0


def _with_title_below(lines: Sequence[str], last: int) -> int:
    """Return the number of the title of the text below a head and perhaps a rule, or of its end."""
    below = (
        n for n in range(last, len(lines)) if lines[n].strip() and not UNDERLINE.match(lines[n])
    )
    title = next(below, last) if last else len(lines)
    is_titled = title < len(lines) and FIRST.match(lines[title]) is not None
    return title + 1 if is_titled and any(map(str.strip, lines[title + 1 :])) else last


def _end_of_fields(lines: Sequence[str], last: int) -> int:
    """Return the number of the last of the fields below a field, if a blank line is below them."""
    below = itertools.takewhile(str.strip, lines[last:LONGEST_HEAD])
    fields = [len(line) <= LONGEST_TITLE and KEY.match(line) is not None for line in below]
    is_over = last + len(fields) < len(lines) and not lines[last + len(fields)].strip()
    return last + len(fields) if is_over and all(fields) else last


def _above_rule(lines: Sequence[str]) -> int:
    """Return the number of the first rule if only fields, or one title, are above it."""
    filled = [(number, line.strip()) for number, line in enumerate(lines, 1) if line.strip()]
    number, first = filled[0] if filled else (0, "")
    is_title = len(first) <= LONGEST_TITLE and not first.endswith(SENTENCE_ENDS)
    title = int(is_title and KEY.match(first) is None)
    fields = list(itertools.takewhile(lambda row: KEY.match(row[1]) is not None, filled[title:]))
    is_titled = [n for n, line in filled[1:2] if n == number + 1 and UNDERLINE.match(line)]
    above = title + len(fields) if title + len(fields) > 1 else int(bool(is_title and is_titled))
    below = filled[above : above + 1]
    is_over = bool(above and below) and RULE_SIGNS.issuperset(below[0][1]) and is_rule(below[0][1])
    return below[0][0] if is_over else 0


def transcript_in(lines: Sequence[str]) -> tuple[int, int]:
    """Return where the only section begins and ends that is a transcript; 0, 0 without one.

    It ends at the next title of the same form: in capitals, with a colon, over the same signs.
    """
    titles = titles_in(lines)
    speech = [
        n for n, below in itertools.pairwise((*titles, len(lines)))
        if SPEECH.match(lines[n].strip()) and any(map(_is_text, lines[titles[n][0] : below]))
    ]  # fmt: skip
    if len(speech) != 1:
        return 0, 0
    begin, sign, *form = titles[speech[0]]
    ends = (
        n for n, (_, other, *of_other) in titles.items()
        if n >= begin and of_other == form and other and sign in ("", other)
    )  # fmt: skip
    end = next(ends, len(lines))
    above = [line.rstrip() for line in lines[: speech[0]]]
    is_below = bool(sign) or not any(line.endswith(SENTENCE_ENDS) for line in above)
    is_below = is_below and any(above) and head_of_document(list(lines)) < begin
    return (begin, end) if is_below or end < len(lines) else (0, 0)


def book_in(lines: Sequence[str]) -> tuple[int, int]:
    """Return where a published book begins and ends between the lines around it; 0, 0 without."""
    edges = [
        (n, edge) for n, (above, line) in enumerate(itertools.pairwise(("", *lines)))
        if (edge := edge_of_book(line, is_below_blank=not above.strip()))
    ]  # fmt: skip
    begin = next((n + 1 for n, edge in edges if edge != "end"), 0)
    end = next((n for n, edge in edges if edge == "end" and n >= begin), len(lines))
    begin = max([begin, *(n + 1 for n, edge in edges if edge == "print" and n < end)])
    first = next((n for n in range(begin, end) if lines[n].strip()), end) if begin else end
    if first < end and PRODUCED.match(lines[first]):
        below = next((n for n in range(first, end) if not lines[n].strip()), end)
        begin = below if any(map(str.strip, lines[below:end])) else begin
    return (begin, end) if edges and any(map(str.strip, lines[begin:end])) else (0, 0)


def edge_of_book(line: str, *, is_below_blank: bool) -> str:
    """Return which edge of a published book a line is: start, print, end, or nothing.

    >>> edge_of_book("*** START OF THE EXAMPLE EBOOK, THE BRIDGE ***", is_below_blank=False)
    'start'
    >>> edge_of_book("End of the Project Gutenberg Etext of The Bridge", is_below_blank=True)
    'end'
    >>> edge_of_book("End of the day.", is_below_blank=True)
    ''
    """
    match = BOOK.match(line) if line.lstrip()[:1] in EDGES_OF_BOOKS else None
    if match is None or (match["bare"] and not is_below_blank):
        return ""
    return match.lastgroup if match.lastgroup in ("start", "print") else "end"


def _is_text(line: str) -> bool:
    """Return True unless a line is blank, a rule or a field."""
    return line.strip() != "" and not UNDERLINE.match(line) and not KEY.match(line)


def titles_in(lines: Sequence[str]) -> dict[int, tuple[int, str, bool, bool]]:
    """Return where titles of sections are: the first line below, the sign of the rule, the form.

    Titles are between signs or over a rule; others name a transcript and end with a colon.
    """
    titles: dict[int, tuple[int, str, bool, bool]] = {}
    stripped = ["", *map(str.strip, lines), ""]
    rows = zip(stripped, stripped[1:], stripped[2:], strict=False)
    for n, (above, title, below) in enumerate(rows):
        has_colon = title[-1:] in (":", "：")
        is_ruled = title[:1] in RULE_SIGNS and is_rule(title)
        is_over = UNDERLINE.match(below) is not None
        if not (is_ruled or is_over or (has_colon and SPEECH.match(title))):
            continue
        sign = title[0] if is_ruled else below[0] if is_over else ""
        name = title.strip(f"{sign} ")
        is_brief = 0 < len(name) <= LONGEST_TITLE and not name.endswith(SENTENCE_ENDS)
        if is_brief and not name[0].islower() and (not above or UNDERLINE.match(above)):
            titles[n] = n + 1 + (is_over and not is_ruled), sign, name.isupper(), has_colon
    return titles


def sections_in(lines: Iterable[str]) -> list[str]:
    """Return the titles of the last sections of an article if it has two of them.

    >>> sections_in(["So it was.", "See also", "Ann's rivers", "ReferencesEdit"])
    ['See also', 'ReferencesEdit']
    """
    sections = [line for line in lines if SECTION.match(line)]
    return sections if len(sections) > 1 else []


def headings_in(lines: Iterable[str]) -> list[str]:
    """Return the lines that are headings of plays, scripts and songs."""
    return [
        line for line in lines
        if (line[:1].isupper() or line[:1] in BEGINS_OF_PARTS or line[:1].isdigit())
        and HEADING.match(line)
    ]  # fmt: skip


def names_within(lines: Iterable[str]) -> list[str]:
    """Return the names with a colon inside lines: generic names, and others that return."""
    text = " ".join(lines)
    if ":" not in text and "：" not in text:
        return []
    names = [f"{match[1]}:" for match in LABEL_WITHIN.finditer(text) if is_label(match[1])]
    if len(names) >= FEWEST_WITHIN:
        return names
    within = (*NAME_WITHIN.finditer(text), *UNSPACED_WITHIN.finditer(text))
    counts = Counter(f"{match[1]}:" for match in within)
    again = [name for name, count in counts.items() if count >= FEWEST_OF_NAME]
    is_enough = len(again) > 1 or any(counts[name] >= FEWEST_OF_ONE for name in again)
    return [name for name in again for _ in range(counts[name])] if is_enough else []


def letters_first(lines: Sequence[str]) -> list[str]:
    """Return the letters or short codes with which most lines begin, as in some notations."""
    if len(lines) < FEWEST_NUMBERED:
        return []
    letters = [match[1] for line in lines if (match := LETTER_FIRST.match(line))]
    counts = Counter(letters)
    is_most = len(letters) >= max(FEWEST_NUMBERED, SHARE_OF_LETTERS * len(lines))
    are_speakers = len(counts) <= FEWEST_NUMBERED and not LETTER_WORDS.issuperset(counts)
    return letters if is_most and are_speakers else []


def names_with_point(lines: Sequence[str]) -> list[str]:
    """Return the names with a point that begin lines, as the speakers of plays.

    Names return, and are nowhere written in small letters, unlike ``Yes.``.
    """
    if len(lines) < FEWEST_BEGINNINGS:
        return []
    names = [match[1] for line in lines if (match := POINT_BEHIND.match(line))]
    names = [name for name in names if all(word[0].isupper() for word in name.split())]
    counts = Counter(names)
    words = {word for line in lines for word in line.split() if word[:1].islower()}
    words = {word.rstrip(".,;:!?") for word in words}
    again = {x for x, n in counts.items() if n >= FEWEST_OF_NAME and x.lower() not in words}
    found = [name for name in names if name in again]
    is_enough = len(found) >= max(FEWEST_BEGINNINGS, SHARE_OF_POINTS * len(lines))
    return found if len(again) >= FEWEST_OF_NAME and is_enough else []


def names_unmarked(lines: Sequence[str]) -> list[str]:
    """Return the names without a sign that begin lines of calls, one of which is of a chair.

    What lines with the same first word have in common is the name, perhaps with a role behind it.
    Each line goes on with a capital.
    """
    groups: dict[str, list[list[str]]] = {}
    for line in lines:
        if TITLE_FIRST.match(line) is not None:
            words = line.split(None, LONGEST_ROLE + 1)
            groups.setdefault(words[0], []).append(words)
    if not any(len(groups.get(chair, ())) >= FEWEST_OF_NAME for chair in CHAIRS):
        return []
    names = {
        first: first if first in CHAIRS else _shared_name(rows)
        for first, rows in groups.items() if len(rows) > 1
    }  # fmt: skip
    names = {first: name for first, name in names.items() if first in CHAIRS or " " in name}
    speakers = [
        names[first] for line in lines
        if (first := line.partition(" ")[0]) in names and line.startswith(names[first])
    ]  # fmt: skip
    return speakers if len(speakers) >= max(FEWEST_OF_NAME, SHARE_OF_UNMARKED * len(lines)) else []


def _shared_name(rows: Sequence[Sequence[str]]) -> str:
    """Return the words with which all rows begin, if capitals follow them; otherwise nothing."""
    columns = zip(*(row[:LONGEST_ROLE] for row in rows), strict=False)
    shared = [
        column[0] for column in itertools.takewhile(lambda words: len(set(words)) == 1, columns)
    ]
    is_name = all(row[len(shared)][:1].isupper() for row in rows if row[len(shared) :])
    is_name = is_name and any(len(row) > len(shared) for row in rows)
    return " ".join(shared) if is_name else ""


def numbers_first(lines: Sequence[str]) -> list[str]:
    """Return the numbers of a list whose items begin lines, if most are one more than the last."""
    numbered = (line for line in lines if line[:1].isdigit())
    matches = [match for line in numbered if (match := NUMBERED.match(line))]
    marked = [match for match in matches if match[2]]
    for items in (matches, marked):
        steps = sum(int(b[1]) == int(a[1]) + 1 for a, b in itertools.pairwise(items))
        least = STEPS if len(items) == len(marked) else STEPS_OF_BARE
        is_list = len(items) >= max(FEWEST_NUMBERED, SHARE_OF_NUMBERED * len(lines))
        if is_list and steps >= least * (len(items) - 1):
            return [match[1] + (match[2] or "") for match in items]
    return []


def signs_first(lines: Sequence[str]) -> list[str]:
    """Return the signs with which some lines begin, as the items of lists do."""
    signed = (line for line in lines if line[:1] in LIST_SIGNS)
    signs = [match[0] for line in signed if (match := SIGN_FIRST.match(line))]
    return signs if len(signs) >= max(FEWEST_NUMBERED, SHARE_OF_SIGNS * len(lines)) else []


def codes_in(words: Sequence[str]) -> list[str]:
    """Return the words that are numbers or codes if most words are."""
    if len(words) < FEWEST_CODES:
        return []
    codes = [word for word in words if CODE.match(word)]
    return codes if len(codes) >= max(FEWEST_CODES, SHARE_OF_CODES * len(words)) else []


def is_mark(word: str) -> bool:
    """Return True if a word is a mark of a layout or of markup, or a code."""
    return (
        ((word[:1] in MARK_BEGINS or word[:4] == "http") and MARK.match(word) is not None)
        or (word[-1:] == ">" and '="' in word)
        or "<|" in word
        or "->" in word
        or "\\n" in word
        or ("_" in word and CODE_WORD.match(word) is not None)
        or ("/" in word and MORPHEME.match(word) is not None)
    )


def pauses_in(words: Sequence[str]) -> list[str]:
    """Return the slashes alone that mean pauses: several, and not between numbers or chords.

    >>> pauses_in("so / it was // as / you / know //".split())
    ['/', '//', '/', '/', '//']
    >>> pauses_in("1 / 2 of it and / or more".split())
    []
    """
    if PAUSES.isdisjoint(words):
        return []
    pauses = list(itertools.compress(words, _are_pauses(words)))
    is_enough = len(pauses) >= max(FEWEST_PAUSES, SHARE_OF_MARKS * len(words))
    return pauses if is_enough else []


def without_pauses(words: Sequence[str]) -> list[str]:
    """Return the words without slashes that mean pauses; those between numbers stay."""
    return [w for w, is_pause in zip(words, _are_pauses(words), strict=True) if not is_pause]


def _are_pauses(words: Sequence[str]) -> list[bool]:
    """Return for each word whether it is a slash, and not between numbers."""
    return [
        word in PAUSES and not (before[-1:].isdigit() and after[:1].isdigit())
        for before, word, after in zip(("", *words), words, (*words[1:], ""), strict=False)
    ]


def dashes_of_changes(words: Sequence[str]) -> list[str]:
    """Return the dashes before words of another speaker, ``- So``, ``-So``, behind a sentence."""
    if DASHES.isdisjoint(word[:1] for word in words):
        return []
    return [
        word
        for before, word, after in zip(("", *words), words, (*words[1:], ""), strict=False)
        if word[:1] in DASHES and (word[1:2] or after[:1]).isupper()
        and (before[-1:] or ".") in ENDS_OF_SENTENCES
    ]  # fmt: skip


def colons_alone(words: Sequence[str]) -> list[str]:
    """Return the colons alone at the beginning or behind a sentence; in prose they follow a word.

    >>> colons_alone([":", "So", "it", "was.", ":", "Well"]), colons_alone(["dit", ":", "oui"])
    ([':', ':'], [])
    """
    if ":" not in words and "：" not in words:
        return []
    return [
        word for before, word in zip((".", *words), words, strict=False)
        if word in (":", "：") and before[-1] in ENDS_OF_SENTENCES
    ]  # fmt: skip


def say_marks(source: Source, marks: Sequence[str], words: int) -> None:
    """Warn about marks among so many words if they are several, or if one is a time in brackets."""
    stamps = [mark for mark in marks if mark[0] in "[("]
    are_enough = bool(stamps) or len(marks) >= FEWEST_MARKS
    is_of_log = any(mark[1:2].isupper() for mark in stamps)
    if is_of_log or (are_enough and len(marks) >= SHARE_OF_MARKS * words):
        source.log.say(MARKS_LEFT, count=len(marks), words=words, text=(stamps or marks)[0])


def beginnings_of(texts: Sequence[str]) -> list[str]:
    """Return what most texts begin with: parts in round brackets, numbers that count, or a word."""
    firsts = [match[0] for text in texts if (match := PART_FIRST.match(text))]
    parts = [first for first in firsts if first[0] == "("]
    if len(parts) >= max(FEWEST_BEGINNINGS, SHARE_OF_PARTS * len(texts)):
        return parts
    numbers = numbers_first(texts)
    if len(numbers) >= max(FEWEST_BEGINNINGS, SHARE_OF_WORD * len(texts)):
        return numbers
    (first, count), *_ = Counter(firsts).most_common(1) or [("", 0)]
    is_same = count >= max(FEWEST_BEGINNINGS, SHARE_OF_WORD * len(texts))
    return [first] * count if is_same else []


def do_lines_alternate(lines: Sequence[str]) -> bool:
    """Return True if lines alternate between two languages, such as a text and its translation.

    The scripts of the lines differ, or the commonest words of every other line are not among those
    of the lines between.
    """
    pairs = list(zip(lines[::2], lines[1::2], strict=False))
    if len(pairs) < FEWEST_PAIRS:
        is_twice = len(lines) == 2 and min(map(len, lines)) > LONGEST_TITLE
        return is_twice and do_scripts_differ(*lines)
    scripts = [(_script(first), _script(second)) for first, second in pairs]
    known = Counter(pair for pair in scripts if all(pair))
    (most, count), *_ = known.most_common(1) or [(("", ""), 0)]
    if most[0] != most[1] and count >= SHARE_OF_PAIRS * len(pairs):
        return True
    sides = [_words(side) for side in zip(*pairs, strict=True)]
    return all(map(_is_of_language, sides)) and _overlap(*sides) <= MOST_SHARED


def lines_of_two_languages(lines: Sequence[str]) -> list[str]:
    """Return the lines that go on in another script than they begin in, if most lines do.

    >>> lines_of_two_languages(["そうです 是的", "橋です 这是桥", "はい 对", "いいえ 不"])[:1]
    ['そうです 是的']
    """
    pairs = [(line, _two_scripts(line)) for line in lines]
    counts = Counter(pair for _, pair in pairs if pair)
    pair, count = counts.most_common(1)[0] if counts else ((), 0)
    is_most = count >= max(FEWEST_OF_TWO, SHARE_OF_TWO * len(lines))
    return [line for line, scripts in pairs if scripts == pair] if is_most else []


def _two_scripts(line: str) -> tuple[str, ...]:
    """Return the scripts of a line that changes its script once, at a blank; otherwise nothing.

    Words of Han before a word of kana are Japanese.
    """
    scripts = list(filter(None, map(_script, line.split())))
    last = max((n for n, script in enumerate(scripts) if script == "Japanese"), default=-1)
    scripts[: last + 1] = ["Japanese" if x == "Chinese" else x for x in scripts[: last + 1]]
    runs = tuple(script for script, _ in itertools.groupby(scripts))
    return runs if len(runs) == MOST_SCRIPTS and len(set(runs)) == MOST_SCRIPTS else ()


def do_scripts_differ(first: str, second: str) -> bool:
    """Return True if two texts are in different scripts: Latin, Japanese, Chinese or others."""
    scripts = _script(first), _script(second)
    return all(scripts) and scripts[0] != scripts[1]


def _script(line: str) -> str:
    """Return the script of most letters; empty without letters. Kana among Han is Japanese."""
    size = len(LETTER.findall(line))
    if size < 2 * len(LATIN.findall(line)):
        return "Latin"
    if SHARE_OF_KANA * size < len(KANA.findall(line)):
        return "Japanese"
    return ("Chinese" if size < 2 * len(HAN.findall(line)) else "other") if size else ""


def _words(lines: Iterable[str]) -> Counter[str]:
    return Counter(word for line in lines for word in WORD.findall(line.casefold()))


def _is_of_language(words: Counter[str]) -> bool:
    """Return True if there are enough words, and some of them are as common as in a language."""
    total = words.total()
    common = sum(count for _, count in words.most_common(COMMONEST))
    are_common = common >= max(SHARE_OF_COMMON * total, 2 * min(COMMONEST, len(words)))
    return total >= FEWEST_COMMON and len(words) >= FEWEST_FORMS and are_common


def _overlap(first: Counter[str], second: Counter[str]) -> float:
    """Return the share of the commonest words of each text that the other text has, too."""
    common = [[word for word, _ in words.most_common(COMMONEST)] for words in (first, second)]
    shared = sum(word in second for word in common[0]) + sum(word in first for word in common[1])
    return shared / sum(map(len, common))
