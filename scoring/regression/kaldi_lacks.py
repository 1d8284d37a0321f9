"""What a folder of a decoding in Kaldi lacks for a score, and what to type instead."""

from __future__ import annotations

import os

from formats.schema.messages import Message
from scoring.regression import messages
from scoring.regression.kaldi_files import timed_words_of_weights
from scoring.regression.kaldi_sweep import best_rate, rate_in
from scoring.sides.layouts import (
    KALDI_TEXT,
    WEIGHT_FOLDER,
    has_words,
    hypotheses_folders,
    weight_folders,
    weights_of,
)


def lack_of(path: str) -> Message | None:
    """Return the reason why a folder has no score; None if it is not a folder of a decoding.

    The folder may have hypotheses without a reference, or CTMs for each weight, or only recorded
    rates, or lattices that are not scored yet, or it is the folder of a penalty within a folder
    with both sides.
    """
    names = sorted(os.listdir(path)) if os.path.isdir(path) else []
    parent = os.path.normpath(os.path.join(path, os.pardir))
    decodings = [path]
    if os.path.basename(os.path.normpath(path)).startswith("penalty_"):
        decodings = [os.path.normpath(os.path.join(parent, os.pardir)), parent]
        if folder := next(filter(has_words, decodings), ""):
            return Message(messages.PENALTY_FOLDER, {"folder": folder})
    folder = next(filter(hypotheses_folders, decodings), "")
    if hypotheses := folder or _hypothesis_in(path):
        return Message(messages.ONLY_HYPOTHESES, {"hypothesis": hypotheses})
    if sides := _ctm_sides(path):
        return Message(messages.CTM_FOLDERS, {"reference": sides[0], "hypotheses": sides[1]})
    if timed_words_of_weights(path):
        return Message(messages.ONLY_CTM, {"hypotheses": path})
    if name := best_rate(path, list(filter(weights_of, names))):
        rate = rate_in(os.path.join(path, name))
        return Message(messages.ONLY_RATES, {"name": name, "rate": rate})
    if lattice := next((name for name in names if name.startswith("lat.")), ""):
        return Message(messages.ONLY_LATTICES, {"lattice": lattice})
    return None


def _hypothesis_in(folder: str) -> str:
    """Return the path of the first hypothesis in a folder; empty without any."""
    names = sorted(os.listdir(folder)) if os.path.isdir(folder) else []
    return next((os.path.join(folder, name) for name in names if KALDI_TEXT.fullmatch(name)), "")


def _ctm_sides(folder: str) -> tuple[str, str] | None:
    """Return an STM in a folder of `score_sclite.sh`, and a pattern of the CTMs of all weights.

    The folder is `score_LMWT` or its parent. The filtered copies of both sides that `hubscr.pl`
    writes are preferred. The result is None for any other folder.
    """
    name = os.path.basename(os.path.normpath(folder))
    parent = os.path.dirname(os.path.normpath(folder)) if WEIGHT_FOLDER.fullmatch(name) else folder
    places = sorted(weight_folders(parent).values()) if os.path.isdir(parent) else []
    for place in places:
        files = sorted(os.listdir(place))
        for suffix in (".filt", ""):
            stms = [file for file in files if f".{file}".endswith(f".stm{suffix}")]
            ctms = [file for file in files if file.endswith(f".ctm{suffix}")]
            if stms and ctms:
                folders = f"{os.path.basename(place).partition('_')[0]}_*"
                return os.path.join(place, stms[0]), os.path.join(parent, folders, ctms[0])
    return None
