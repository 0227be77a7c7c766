"""The features of the model of turns, as `src/dialogue/turn_model` computes them: read that first, and change both."""

import functools
import pathlib
import unicodedata

import numpy as np

BUCKETS = 1 << 15
WORD_NGRAM, RUN_NGRAM = (2, 5), (1, 4)
OFFSET, CONCEPTS, PRIME = 0x811C9DC5, 0x00012345, 0x01000193
UNKNOWN, NUMBER, QUESTION, FIRST_CONCEPT = 1, 2, 3, 4
START, END = 0xFE, 0xFF
CONCEPTS_FILE = pathlib.Path(__file__).parent / "../src/dialogue/turn_model/concepts.txt"
SPELLINGS = dict(zip("ىیکةہھۃںςı", "ييكههههنσi"))


def is_character_word(c):
    return "\u3040" <= c <= "\u30ff" or "\u3400" <= c <= "\u4dbf" or "\u4e00" <= c <= "\u9fff" or "\uf900" <= c <= "\ufaff"


def is_left_out(c):
    o = ord(c)
    return (0x300 <= o <= 0x36F or 0x64B <= o <= 0x65F or 0x200B <= o <= 0x200F or c in "'’`´"
            or o in (0x670, 0x640, 0x93C, 0x9BC, 0x2060, 0xFEFF, 0x3099, 0x309A))


def continues_word(c):
    o = ord(c)
    indic = 0x900 <= o <= 0x963 or 0x970 <= o <= 0x9E3 or 0x9F0 <= o <= 0xDFF
    return c.isalnum() or is_character_word(c) or indic


def tokens(text):
    found, token = [], []

    def end():
        if token:
            found.append("".join(token))
            token.clear()

    for letter in (c for whole in text for part in unicodedata.normalize("NFKD", whole) for c in part.lower()):
        if is_left_out(letter):
            continue
        letter = SPELLINGS.get(letter, letter)
        if not continues_word(letter):
            end()
            if letter in "?؟":
                found.append("?")
            elif ord(letter) >= 0x1F300:
                found.append(letter)
            continue
        if token and is_character_word(token[-1]) != is_character_word(letter):
            end()
        if len(token) >= 2 and token[-1] == letter == token[-2]:
            continue
        token.append("ss" if letter == "ß" else letter)
    end()
    return found


@functools.cache
def lists():
    """Words and beginnings of words with their concepts."""
    words, beginnings, names = {}, {}, []
    for line in CONCEPTS_FILE.read_text(encoding="utf-8").splitlines():
        if line.startswith("#"):
            continue
        entries = line.split()
        if not line.startswith(" "):
            names.append(entries.pop(0))
        for entry in entries:
            (word,) = tokens(entry)
            (beginnings if entry.endswith("*") else words).setdefault(word, FIRST_CONCEPT - 1 + len(names))
    return words, beginnings


@functools.cache
def concepts_of(token):
    words, beginnings = lists()
    if token == "?":
        return [QUESTION]
    if is_character_word(token[0]):
        return concepts_of_run(token)
    if token in words:
        return [words[token]]
    for end in range(len(token), 0, -1):
        if token[:end] in beginnings:
            return [beginnings[token[:end]]]
    return [NUMBER if token.isnumeric() else UNKNOWN]


def concepts_of_run(run):
    words, _ = lists()
    found, at, in_unknown = [], 0, False
    while at < len(run):
        length, concept = next(((n, words[run[at:at + n]]) for n in range(len(run) - at, 0, -1) if run[at:at + n] in words), (1, UNKNOWN))
        if concept != UNKNOWN or not in_unknown:
            found.append(concept)
        in_unknown = concept == UNKNOWN
        at += length
    return found


def add(value, data):
    for byte in data:
        value = ((value ^ byte) * PRIME) & 0xFFFFFFFF
    return value


def hashed(tag, parts):
    return add(OFFSET, (tag + " ".join(parts)).encode())


@functools.cache
def hashes_of_token(token):
    found = [hashed("w", [token])]
    run = is_character_word(token[0])
    letters = [c.encode() for c in (token if run else f"<{token}>")]
    least, most = RUN_NGRAM if run else WORD_NGRAM
    for start in range(len(letters)):
        value = add(OFFSET, b"c")
        for number, letter in enumerate(letters[start:start + most], 1):
            value = add(value, letter)
            if number >= least:
                found.append(value)
    return found


def word_hashes(all_tokens):
    found = [value for token in all_tokens for value in hashes_of_token(token)]
    bounded = ["^", *all_tokens, "$"]
    found += [hashed("b", pair) for pair in zip(bounded, bounded[1:])]
    found += [hashed("t", triple) for triple in zip(bounded, bounded[1:], bounded[2:])]
    length = len(all_tokens) if len(all_tokens) < 6 else 6 + min((len(all_tokens) - 6) // 3, 6)
    return [*found, hashed("l", [str(length)])]


def concept_hashes(concepts):
    distinct = sorted(set(concepts))
    bounded = [START, *concepts, END]
    unknown = concepts.count(UNKNOWN)
    parts = [(b"1", [c]) for c in distinct]
    parts += [(b"2", pair) for pair in zip(bounded, bounded[1:])]
    parts += [(b"3", triple) for triple in zip(bounded, bounded[1:], bounded[2:])]
    parts += [(b"p", (a, b)) for at, a in enumerate(distinct) for b in distinct[at + 1:]]
    parts += [(b"u", [min(unknown, 6)]), (b"v", [min(unknown, 4), min(len(concepts), 12) // 2])]
    return [add(add(CONCEPTS, tag), bytes(values)) for tag, values in parts]


def groups(text):
    """The buckets of the features of a text, in two groups."""
    found = tokens(text)
    concepts = [concept for token in found for concept in concepts_of(token)]
    for hashes in (word_hashes(found), concept_hashes(concepts)):
        values = np.array(hashes, dtype=np.int64)
        yield np.unique((values ^ values >> 15) % BUCKETS)
