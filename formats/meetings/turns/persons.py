"""Persons who are named in two ways, or with a role beside the name: ``ANN EX, CEO``."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from formats.reading.member_values import PARTIES, kinds_of_turns
from formats.reading.speakers import is_label
from formats.schema import lazy_pattern

PROGRAMS = frozenset(
    ("ai", "assistant", "bard", "bot", "chatbot", "chatgpt", "claude", "copilot", "cursor",
     "deepseek", "gemini", "gpt", "gpt-4", "grok", "grok 3", "llama", "llm", "mistral", "model",
     "perplexity", "qwen")
)  # fmt: skip
"""Names of programs that answer in chats."""
PERSONS_OF_CHATS = frozenset(("human", "user"))
"""Names of persons whom programs answer."""
ROLES_IN_LANGUAGES = frozenset(
    str.split(
        "befragte befragter interviewerin moderatorin kunde kundin berater arzt ärztin lehrer "
        "lehrerin intervieweur intervieweuse enquêteur enquêtrice enquêté enquêtée répondant "
        "répondante animateur animatrice journaliste médecin entrevistador entrevistadora "
        "entrevistado entrevistada moderador moderadora paciente cliente usuario usuário "
        "asistente assistente profesor profesora locutor locutora intervistatore "
        "intervistatrice intervistato intervistata moderatore utente conduttore интервьюер "
        "респондент модератор ведущий ведущая гость пользователь ассистент оператор клиент "
        "врач пациент учитель ученик корреспондент badacz badaczka prowadzący prowadząca "
        "görüşmeci katılımcı sunucu 采访者 受访者 主持人 记者 嘉宾 用户 助手 客服 客户 医生 "
        "病人 患者 老师 学生 訪談者 受訪者 記者 聞き手 語り手 話し手 司会 司会者 質問者 回答者 "
        "面接官 応募者 医師 先生 生徒 ユーザー アシスタント オペレーター 面談者 면담자 구술자 "
        "기자 진행자 사회자 질문자 답변자 면접관 지원자 환자 의사 선생님 학생 사용자 상담사 "
        "고객 المحاور الضيف المذيع الصحفي السائل المستخدم المساعد الطبيب المريض מראיין מראיינת "
        "מרואיין מרואיינת מנחה साक्षात्कारकर्ता उत्तरदाता प्रस्तोता"
    )
)
"""Names of roles in other languages than English, in small letters."""
ROLES_OF_CHATS = PARTIES | ROLES_IN_LANGUAGES | PROGRAMS | {"me", "you"}
"""Names of those who take turns in chats with language models, and of other roles."""
FEWEST_RETURNING = 2
"""How often the shorter name of a person occurs at least, if it is only the last name."""
FEWEST_DIRECTIONS, SHARE_OF_DIRECTIONS = 3, 0.8
"""The fewest directions behind one name, and the share of directions that occur once."""
NO_DIRECTIONS = frozenset("一二三四五六七八九十百甲乙丙丁男女老少大小左右上下")
"""Signs that alone in brackets tell persons apart, and are no directions."""
PERSONS_OF_GROUPS = ROLES_IN_LANGUAGES | frozenset(
    ("同学", "同學", "学员", "學生", "观众", "觀眾", "听众", "聽眾", "网友", "網友", "代表", "委员",
     "委員", "议员", "議員", "群众", "群眾", "村民", "士兵", "问", "答", "問", "発言者", "参加者",
     "視聴者", "聴衆", "의원", "위원", "시민", "청중", "참석자", "관객")
)  # fmt: skip
"""Names for a member of a group; the brackets behind such a name say which member speaks."""
SEVERAL = lazy_pattern(r",? (?:and|&|und|et|y|e|и) |, ")
"""What stands between the names of persons who speak together."""
OPENING = {")": "(", "]": "["}
"""The bracket that opens before the role of a person, by the one that closes."""
SHORTEST_SPELT = 3
"""The fewest characters of a name that may differ in capitals alone; ``a`` and ``A`` are codes."""


def shorter_names(names: Iterable[str], *, have_roles: bool = True) -> dict[str, str]:
    """Return names of persons with another name, each with the name that is used for the person.

    A name with a role has the name without it, if the file has no second role for this name, and if
    names may have roles: those of a chat are as in somebody's list of addresses (`have_roles`). A
    comma is only before a role if several words or persons are before it: ``Ex, Ann`` is a name.
    Names that differ in capitals alone have the spelling that is most frequent.

    Of names that occur once, the shorter name comes later, and has no role; or it is what the
    parentheses have; or it is the last name of only one full name, both in capitals; or it is the
    initials of only one full name. A name with
    two roles, as in ``Ann (Bern)`` and ``Ann (Rome)``, is left as it is, because these may be two
    persons. Small letters in the brackets are a direction, which is no part of the name.

    >>> shorter_names(["Ann (host)", "Bob", "Ann", "Bob", "Ann"])
    {'Ann (host)': 'Ann'}
    >>> shorter_names(["ANN EX", "BOB LEE", "EX", "LEE", "EX", "LEE"])
    {'ANN EX': 'EX', 'BOB LEE': 'LEE'}
    >>> shorter_names(["Ann", "Bob", "Ann", "Bob (nods)", "Ann (sitting down)", "Ann(calm)", "Bob"])
    {'Bob (nods)': 'Bob', 'Ann (sitting down)': 'Ann', 'Ann(calm)': 'Ann'}
    >>> shorter_names(["Ann Ex", "Bob Lee", "AE", "BL", "AE", "BL"])
    {'Ann Ex': 'AE', 'Bob Lee': 'BL'}
    >>> shorter_names(["Ann, Bob, and Cy", "Ann", "Bob", "Cy"])
    {}
    >>> shorter_names(["Life Agent (LA)", "Bob", "LA", "Bob"])
    {'Life Agent (LA)': 'LA'}
    >>> shorter_names(["Ann Ex (Acme)", "Bob Lee, CEO", "Ann Ex (Acme)", "Lee, Bob", "ANN EX"])
    {'Ann Ex (Acme)': 'Ann Ex', 'Bob Lee, CEO': 'Bob Lee', 'ANN EX': 'Ann Ex'}
    """
    order = list(names)
    counts = Counter(order)
    directed = _names_with_directions(counts) if have_roles else {}
    last = {name: n for n, name in enumerate(order)}
    shorter = {}
    for n, name in enumerate(order):
        if name in directed or (counts[name] > 1 and not (have_roles and name[-1:] in OPENING)):
            continue  # directions, or nobody acts
        plain = without_role(name)
        does_act = have_roles and role_of(name)[:1].islower()
        if counts[name] > 1 and not (does_act and counts[plain] >= FEWEST_RETURNING):
            continue
        final = plain.rpartition(" ")[2]
        initials = initials_of(plain)
        is_known = last.get(plain, -1) > n or (
            role_of(name)[:1].islower() and counts[plain] >= FEWEST_RETURNING
        )
        are_persons = not counts.keys().isdisjoint(SEVERAL.split(role_beside(name)))
        if plain != name and is_known and not are_persons:
            shorter[name] = plain
        elif last.get(role_of(name), -1) > n:
            shorter[name] = role_of(name)
        elif plain.isupper() and last.get(final, -1) > n and counts[final] >= FEWEST_RETURNING:
            shorter[name] = final
        elif last.get(initials, -1) > n and counts[initials] >= FEWEST_RETURNING:
            shorter[name] = initials
    full = {(without_role(name), brief) for name, brief in shorter.items()}
    roles = Counter(
        brief for name, brief in shorter.items()
        if without_role(name) == brief and not role_of(name)[:1].islower()
    )  # fmt: skip
    of_several = Counter(brief for name, brief in full if name != brief)
    shorter = {
        name: brief for name, brief in shorter.items()
        if (of_several[brief] if without_role(name) != brief else roles[brief]) < 2
    }  # fmt: skip
    only = _without_only_role(counts, shorter) if have_roles else {}
    return _of_one_spelling({**only, **shorter, **directed}, counts)


def _names_with_directions(counts: Counter[str]) -> dict[str, str]:
    """Return the names with directions in scripts without capitals, each with the name alone.

    Nearly all brackets differ, and one name has three of them, or is alone, too, and has two. One
    of a group is no such name: ``记者(法新社)``, ``记者(路透社)`` are two persons.

    >>> _names_with_directions(Counter(["李明(站起)", "王芳", "李明(坐下)", "王芳(愣住)", "李明"]))
    {'李明(站起)': '李明', '李明(坐下)': '李明', '王芳(愣住)': '王芳'}
    >>> _names_with_directions(Counter(["学生(男)", "学生(女)", "老师", "学生(男)", "学生(女)"]))
    {}
    """
    roles = {name: role_of(name) for name in counts}
    plain = {
        name: without_role(name) for name, role in roles.items()
        if role[:1].isalpha() and role not in NO_DIRECTIONS and role.lower() == role.upper()
    }  # fmt: skip
    once = [name for name in plain if counts[name] == 1]
    of_name = Counter(map(plain.__getitem__, once))
    do_act = any(
        count >= FEWEST_DIRECTIONS - (counts[name] > 0) and name not in PERSONS_OF_GROUPS
        for name, count in of_name.items()
    )
    is_most = len(once) >= SHARE_OF_DIRECTIONS * len(plain)
    return plain if do_act and is_most else {}


def _without_only_role(counts: Counter[str], shorter: dict[str, str]) -> dict[str, str]:
    """Return the names with a role that is the only one of this name, without it.

    The role may be longer the first time: ``Ann Ex, minister of roads``, ``Ann Ex, minister``.

    Another person is no role: ``Ann Ex, Bob Lee`` speak together.
    """
    plain = {name: without_role(name) for name in counts if not is_label(name)}
    beside = {name: role_beside(name) for name in plain if plain[name] not in ("", name)}
    persons = {*plain.values()}
    beside = {name: role for name, role in beside.items() if role and role not in persons}
    roles: dict[str, set[str]] = {}
    for name, role in beside.items():
        roles.setdefault(plain[name], set()).add(role)
    of_role = Counter(role for name, role in beside.items() if not name.endswith(")"))
    is_before_comma = max(of_role.values(), default=0) > 1
    return {
        name: plain[name] for name in beside
        if name not in shorter and not plain[name].startswith("The ")
        and _is_one_role(roles[plain[name]], name)
        and (name.endswith(")") or " " in plain[name] or is_before_comma)
    }  # fmt: skip


def _is_one_role(roles: set[str], name: str) -> bool:
    """Return True if roles are one, of which the others are longer forms, if not in brackets.

    >>> _is_one_role({"minister", "minister of roads"}, "Ann Ex, minister")
    True
    >>> _is_one_role({"Bern", "Bern West"}, "Ann (Bern)")
    False
    """
    shortest = min(roles, key=len)
    are_alike = all(f"{role} ".startswith(f"{shortest} ") for role in roles)
    return len(roles) == 1 or (are_alike and name[-1:] not in OPENING)


def _of_one_spelling(shorter: dict[str, str], counts: Counter[str]) -> dict[str, str]:
    """Add the names that differ from a more frequent one in capitals alone."""
    used: Counter[str] = Counter()
    for name, count in counts.items():
        used[shorter.get(name, name)] += count
    spelt: dict[str, str] = {}
    for name, _ in used.most_common():
        spelt.setdefault(name.casefold(), name)
    if len(spelt) == len(used):
        return shorter
    named = {name: spelt[shorter.get(name, name).casefold()] for name in counts}
    return {
        name: brief for name, brief in named.items()
        if name != brief and (name in shorter or len(name) >= SHORTEST_SPELT)
    }  # fmt: skip


def initials_of(name: str) -> str:
    """Return the first letters of the words of a name; empty for a single word."""
    return "".join(word[0] for word in name.split()) if " " in name else ""


def takes_turns(name: str) -> bool:
    """Return True for the role of a person or a program, and for a question or an answer."""
    return name.casefold() in ROLES_OF_CHATS or name.casefold() in kinds_of_turns()


def without_role(name: str) -> str:
    """Return a name without the role in brackets or after a comma behind it.

    >>> [without_role(name) for name in ("Ann (Bern)", "Ann [to Ben]", "Ann Ex, CEO")]
    ['Ann', 'Ann', 'Ann Ex']
    """
    return name.partition(OPENING.get(name[-1:], ","))[0].rstrip()


def role_of(name: str) -> str:
    """Return what the brackets at the end of a name have; empty without them."""
    return name.rpartition(OPENING[name[-1]])[2][:-1].strip() if name[-1:] in OPENING else ""


def role_beside(name: str) -> str:
    """Return the role in brackets or after a comma behind a name; empty without one."""
    return name[len(without_role(name)) :].strip(" ,()[]")
