#!/usr/bin/env python3
"""Trains the model of turns (`src/dialogue/turn_model/weights.bin`) and prints how it does.

  train.py --clinc data_full.json --nlupp DIR --banking77 DIR --chitchat DIR [--folds 0] [--others FILE]

Needs Python 3.11, numpy and scipy. `data_full.json` is that of https://github.com/clinc/oos-eval (CC BY 3.0), of which the
training split is learned and the validation split is printed. Of three more public sets a half by hash is learned; `--others`
writes the other half as rows of set, language, kind and text. They are `nlupp/data` of
https://github.com/PolyAI-LDN/task-specific-datasets (CC BY 4.0), `Datasets/BANKING77` of
https://github.com/jianguoz/Few-Shot-Intent-Detection (CC BY 4.0), and the folder of `en-us/Chitchat.qna` and its like of
https://github.com/microsoft/botframework-solutions (MIT). Our own examples are `examples/WRITER.tsv` and the phrases of
`src/dialogue/languages`; `held-out` is only printed. Examples are cross-validated by writer: no writer is learned and
judged at once; `*-keywords.tsv`, topics of a few words, are always learned. The same inputs make the same weights on the same
machine."""

import argparse
import hashlib
import json
import os
import pathlib
import random
import re

# Several threads add in another order, and the weights differ.
os.environ["OPENBLAS_NUM_THREADS"] = os.environ["OMP_NUM_THREADS"] = "1"

import numpy as np
import scipy.optimize
import scipy.sparse

import features

HERE = pathlib.Path(__file__).parent
WEIGHTS = HERE / "../src/dialogue/turn_model/weights.bin"
# What a test of the crate compares with: the probabilities of some held-out messages.
EXPECTED, EXPECTED_EVERY = HERE / "expected.tsv", 20
LANGUAGES = HERE / "../src/dialogue/languages"
# The order of `turn_model::Turn`.
KINDS = ["question", "human", "greeting", "thanks", "farewell", "praise", "about_us", "apology", "repeat", "insult"]
# The intents of clinc that are small talk; those below are left out, because what they do depends on what was asked.
CLINC = {"greeting": "greeting", "goodbye": "farewell", "thank_you": "thanks", "repeat": "repeat"} | dict.fromkeys(
    ["are_you_a_bot", "what_is_your_name", "what_can_i_ask_you", "who_made_you", "where_are_you_from", "how_old_are_you",
     "who_do_you_work_for"], "about_us")
# Questions about the assistant's pets and hobbies are too near to what a shop is asked ("do you have", "do you like").
CLINC_LEFT_OUT = {"yes", "no", "maybe", "cancel", "do_you_have_pets", "what_are_your_hobbies"}
CLINC_MEASURED = ["greeting", "goodbye", "thank_you", "are_you_a_bot", "what_is_your_name", "what_can_i_ask_you"]
PHRASES = {"greeting": "greeting", "opening": "greeting", "thanks": "thanks", "farewell": "farewell", "okay": "praise",
           "acknowledgement": "praise", "about_us": "about_us", "anger": "insult"}
# The intents of NLU++ that are small talk, the likeliest first, and those that neither are small talk nor ask anything.
NLUPP = {"end_call": "farewell", "thank": "thanks", "greet": "greeting", "repeat": "repeat", "acknowledge": "praise"}
NLUPP_LEFT_OUT = {"affirm", "deny", "dont_know", *NLUPP}
# The groups of paraphrases in `Chitchat.qna` that are small talk, by their number in each language. The others talk about the
# weather, jokes and feelings.
CHITCHAT = {
    "de-de": {"greeting": [54, 55, 56, 58, 59, 60, 61, 63], "thanks": [50], "farewell": [53, 57], "about_us": [7, 8],
              "apology": [46, 49], "repeat": [47, 51], "insult": [42, 43]},
    "en-us": {"greeting": [54, 55, 56, 58, 59, 60, 61, 63], "thanks": [50], "farewell": [53, 57], "about_us": [7, 10],
              "apology": [46, 49], "repeat": [47, 51], "insult": [40, 42, 43]},
    "es-es": {"greeting": [53, 54, 55, 57, 58, 59, 60, 62], "farewell": [52, 56], "about_us": [7, 8], "apology": [46, 49],
              "repeat": [47, 50], "insult": [42, 43]},
    "fr-fr": {"greeting": [52, 53, 54, 56, 57, 58, 59, 61], "thanks": [49], "farewell": [51, 55], "about_us": [7, 8],
              "apology": [46], "repeat": [47, 50], "insult": [42, 43]},
    "it-it": {"greeting": [52, 53, 54, 56, 57, 58, 60], "thanks": [49], "farewell": [51, 55], "about_us": [7, 8],
              "apology": [46], "repeat": [47, 50], "insult": [42, 43]},
    "zh-cn": {"greeting": [52, 53, 54, 56, 57, 58, 59, 61], "farewell": [51, 55], "about_us": [7, 8], "apology": [46, 49],
              "repeat": [47, 50], "insult": [42, 43]},
}
CHITCHAT_EVERYWHERE = {"about_us": [15, 28, 30], "praise": [39, 44, 48]}
# A group has up to 300 paraphrases of one sentence.
CHITCHAT_OF_GROUP = 30
# How much an example of each source counts: few of the questions in a language other than English are of a writer, and
# clinc has many in English.
WEIGHT_OWN, WEIGHT_ENGLISH, WEIGHT_KEYWORDS, WEIGHT_FOREIGN_QUESTION, WEIGHT_CLINC, WEIGHT_PHRASE = 1.0, 2.0, 2.0, 9.0, 0.6, 0.5
WEIGHT_ENGLISH_TOPIC, WEIGHT_FOREIGN_TOPIC = 0.2, 0.4
WEIGHT_NLUPP_QUESTION, WEIGHT_NLUPP, WEIGHT_BANKING77, WEIGHT_CHITCHAT = 0.4, 4.0, 0.1, 0.5
# Each English question is learned so many times more with other topics; the copies together weigh as much as the question.
TOPIC_COPIES = 3
L2 = 3e-6
ITERATIONS = 200
# The thresholds of `turn_model`, and which texts it does not judge.
MIN_HUMAN, MIN_SMALL_TALK = [(10, 0.47), (20, 0.7), (None, 0.95)], 0.6
MIN_WORDS, MAX_BYTES = 2, 600


def own(folder):
    """Rows of writer, language, kind, text, weight."""
    rows = []
    for file in sorted((HERE / folder).glob("*.tsv")):
        for line in file.read_text(encoding="utf-8").splitlines():
            language, kind, text = line.split("\t")
            rows.append((file.stem, language, kind, text, weight(file.stem, language, kind)))
    return [row for row in rows if features.tokens(row[3])]


def weight(writer, language, kind):
    if "keywords" in writer:
        return WEIGHT_KEYWORDS
    if kind == "question":
        return WEIGHT_OWN if language == "en" else WEIGHT_FOREIGN_QUESTION
    return WEIGHT_ENGLISH if language == "en" else WEIGHT_OWN


def clinc(data, split):
    rows = [(intent, "en", CLINC.get(intent, "question"), text, WEIGHT_CLINC) for text, intent in data[split]
            if intent not in CLINC_LEFT_OUT]
    return rows + [("oos", "en", "question", text, WEIGHT_CLINC) for text, _ in data[f"oos_{split}"]]


def nlupp(folder):
    rows = []
    for file in sorted(folder.glob("*/fold*.json")):
        for example in json.loads(file.read_text(encoding="utf-8")):
            intents = set(example.get("intents") or [])
            kind = ("human" if "handoff" in intents else
                    next((kind for intent, kind in NLUPP.items() if intent in intents), None) if intents <= set(NLUPP) else
                    "question" if intents - NLUPP_LEFT_OUT else None)
            if kind:
                weight = WEIGHT_NLUPP_QUESTION if kind == "question" else WEIGHT_NLUPP
                rows.append(("nlupp", "en", kind, example["text"], weight))
    return rows


def banking77(folder):
    return [("banking77", "en", "question", line, WEIGHT_BANKING77) for split in ("train", "test")
            for line in (folder / split / "seq.in").read_text(encoding="utf-8").splitlines()]


def chitchat(folder):
    rows = []
    for locale, kinds in CHITCHAT.items():
        kind_of = {number: kind for groups in (kinds, CHITCHAT_EVERYWHERE) for kind, numbers in groups.items() for number in numbers}
        (file,) = (file for file in (folder / locale).iterdir() if file.name.lower() == "chitchat.qna")
        for number, group in enumerate(file.read_text(encoding="utf-8").split("\n## ? ")[1:], 1):
            first, _, rest = group.partition("\n")
            said = {first, *re.findall(r"^- (.+)$", rest.split("**Filters")[0], re.MULTILINE)}
            for half in (False, True):
                chosen = sorted((text for text in said if is_learned(text) == half), key=digest)[:CHITCHAT_OF_GROUP]
                rows += [("chitchat", locale[:2], kind_of[number], text, WEIGHT_CHITCHAT) for text in chosen if number in kind_of]
    return rows


def digest(text):
    return hashlib.sha256(" ".join(text.split()).encode()).digest()


def is_learned(text):
    return digest(text)[0] % 2 == 0


def phrases():
    rows = []
    for file in sorted(LANGUAGES.glob("??.txt")):
        lines = [line for line in file.read_text(encoding="utf-8").splitlines() if line and not line.startswith("#")]
        for line in lines:
            if line.startswith("["):
                kind = PHRASES.get(line.strip("[]").removeprefix("small_talk."))
            elif kind:
                rows.append(("phrases", file.stem, kind, line, WEIGHT_PHRASE))
    return [row for row in rows if features.tokens(row[3])]


def words_of_questions(rows):
    """The words that only questions have."""
    tokens = lambda is_question: {token for row in rows if (row[2] == "question") == is_question for token in features.tokens(row[3])}
    return sorted({token for token in tokens(True) if len(token) > 3} - tokens(False))


def topics(rows, number):
    """Topics of a few words that have small talk in them ("welcome bonus"): a phrase beside a word of questions alone. The
    phrases are short, so without these a model learns that short texts with such words are small talk."""
    made, choice = [], random.Random(1)
    for language in sorted({row[1] for row in rows}):
        there = [row for row in rows if row[1] == language]
        words = words_of_questions(there)
        short = sorted({row[3] for row in there if row[0] == "phrases" and len(features.tokens(row[3])) < 3})
        space = "" if language in ("zh", "ja") else " "
        for _ in range(number * (2 if language == "en" else 1)):
            pair = [choice.choice(short), choice.choice(words)]
            choice.shuffle(pair)
            weight = WEIGHT_ENGLISH_TOPIC if language == "en" else WEIGHT_FOREIGN_TOPIC
            made.append(("topics", language, "question", space.join(pair), weight))
    return made


def with_other_topics(rows):
    """Each English question again with other words in the place of those that only questions have: the topics of the next
    wiki are other ones. In other languages there are too few questions: requests are missed then."""
    choice = random.Random(5)
    english = [row for row in rows if row[1] == "en" and "keywords" not in row[0]]
    asked = words_of_questions(english)
    known = set(asked)

    def is_topic(word):
        tokens = set(features.tokens(word)) - {"?"}
        return bool(tokens) and tokens <= known

    other = lambda word: choice.choice(asked) + ("?" if word.endswith("?") else "")
    made = []
    for row in [row for row in english if row[2] == "question"]:
        words = row[3].split()
        for _ in range(TOPIC_COPIES):
            others = [other(word) if is_topic(word) else word for word in words]
            if others != words:
                made.append((row[0], "en", "question", " ".join(others), row[4] / TOPIC_COPIES))
    return made


def matrix(rows):
    """A row for each text: 1 divided by the root of the number of features of the group, for each feature."""
    columns, values, ends = [], [], [0]
    for row in rows:
        for group in features.groups(row[3]):
            columns.append(group)
            values.append(np.full(len(group), 1 / np.sqrt(len(group))))
        ends.append(ends[-1] + sum(len(group) for group in columns[-2:]))
    return scipy.sparse.csr_matrix((np.concatenate(values), np.concatenate(columns), ends), shape=(len(rows), features.BUCKETS))


def fit(x, rows):
    """Weights and biases with the least cross entropy plus L2 (L-BFGS)."""
    kinds = np.array([KINDS.index(row[2]) for row in rows])
    weight = np.array([row[4] for row in rows])
    weight /= weight.sum()
    wanted = np.eye(len(KINDS))[kinds]
    transposed = x.T.tocsr()
    cut = features.BUCKETS * len(KINDS)

    def loss(parameters):
        w, b = parameters[:cut].reshape(-1, len(KINDS)), parameters[cut:]
        p = softmax(x @ w + b)
        error = (p - wanted) * weight[:, None]
        likelihood = np.log(np.maximum(p[np.arange(len(rows)), kinds], 1e-300))
        return (-(weight * likelihood).sum() + L2 / 2 * (w * w).sum(),
                np.concatenate([(transposed @ error + L2 * w).ravel(), error.sum(0)]))

    found = scipy.optimize.minimize(loss, np.zeros(cut + len(KINDS)), jac=True, method="L-BFGS-B", options={"maxiter": ITERATIONS}).x
    return found[:cut].reshape(-1, len(KINDS)), found[cut:]


def softmax(scores):
    powers = np.exp(scores - scores.max(1, keepdims=True))
    return powers / powers.sum(1, keepdims=True)


def quantised(w):
    """Weights as i8, and their scale. The few largest are cut."""
    scale = np.quantile(np.abs(w), 0.9999) / 127
    return np.clip(np.rint(w / scale), -127, 127).astype(np.int8), np.float32(scale)


def word_count(text):
    """How many words a text has; one of a run of Chinese or Japanese is taken to have two characters."""
    tokens = [token for token in features.tokens(text) if token != "?"]
    return sum(len(token) // 2 if features.is_character_word(token[0]) else 1 for token in tokens)


def judged(rows, p):
    small_talk = 1 - p[:, 0] - p[:, 1]
    count = np.array([word_count(row[3]) for row in rows])
    least = np.select([count <= most for most, _ in MIN_HUMAN[:-1]], [least for _, least in MIN_HUMAN[:-1]], MIN_HUMAN[-1][1])
    judgement = np.where(p[:, 1] >= least, "human", np.where(small_talk >= MIN_SMALL_TALK, "small talk", "question"))
    is_long = np.array([len(row[3].encode()) > MAX_BYTES for row in rows])
    return np.where((count < MIN_WORDS) | is_long, "question", judgement)


def report(title, rows, p):
    """Of each group of kinds, in English and elsewhere, how many are taken for what."""
    group = np.array([row[2] if row[2] in ("question", "human") else "small talk" for row in rows])
    english = np.array([row[1] == "en" for row in rows])
    print(title)
    for place, there in (("English", english), ("elsewhere", ~english)):
        for kind in ("human", "small talk", "question"):
            among = judged(rows, p)[there & (group == kind)]
            if len(among):
                shares = ", ".join(f"{other} {(among == other).mean():.3f}" for other in ("human", "small talk", "question"))
                print(f"  {place:9} {kind:10} {len(among):5}: {shares}")


def report_clinc(rows, p):
    judgement = judged(rows, p)
    intents = np.array([row[0] for row in rows])
    measured = np.isin(intents, CLINC_MEASURED)
    print(f"clinc, validation: small talk found {(judgement[measured] == 'small talk').mean():.3f}")
    for title, others in (("other than small talk", ~np.isin(intents, list(CLINC))), ("other than those six", ~measured)):
        print(f"  {title} ({others.sum()}): false small talk {(judgement[others] == 'small talk').mean():.4f}, "
              f"false requests {(judgement[others] == 'human').mean():.4f}")


def fold(writer, writers, folds):
    """Writers of one language are in different folds."""
    language = writer.split("-")[0]
    same = [other for other in writers if other.split("-")[0] == language]
    first = sorted({other.split("-")[0] for other in writers}).index(language)
    return (first + same.index(writer)) % folds


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--clinc", type=pathlib.Path, required=True)
    for name in ("nlupp", "banking77", "chitchat"):
        arguments.add_argument(f"--{name}", type=pathlib.Path, required=True)
    arguments.add_argument("--others", type=pathlib.Path, help="writes the half of these sets that is not learned")
    arguments.add_argument("--folds", type=int, default=3, help="0 for no cross-validation")
    arguments = arguments.parse_args()
    data = json.loads(arguments.clinc.read_text(encoding="utf-8"))
    examples, validation, held_out = own("examples"), clinc(data, "val"), own("held-out")
    strangers = nlupp(arguments.nlupp) + banking77(arguments.banking77) + chitchat(arguments.chitchat)
    strangers = [row for row in strangers if features.tokens(row[3])]
    if arguments.others:
        others = [row for row in strangers if not is_learned(row[3])]
        arguments.others.write_text("".join("\t".join(" ".join(part.split()) for part in row[:4]) + "\n" for row in others), encoding="utf-8")
    rows = examples + clinc(data, "train") + phrases() + [row for row in strangers if is_learned(row[3])]
    rows += topics(rows, 100) + with_other_topics(rows)
    print(f"{len(examples)} examples, {len(rows)} with public sets and phrases")
    x = matrix(rows)
    if arguments.folds:
        writers = sorted({row[0] for row in examples})
        is_judged = lambda row: row[0] in writers and "keywords" not in row[0]
        number = np.array([fold(row[0], writers, arguments.folds) if is_judged(row) else -1 for row in rows])
        judged_rows = number[:len(examples)] >= 0
        p = np.zeros((len(examples), len(KINDS)))
        for one in range(arguments.folds):
            w, b = fit(x[number != one], [row for row, other in zip(rows, number) if other != one])
            judged_now = np.flatnonzero(number[:len(examples)] == one)
            p[judged_now] = softmax(x[judged_now] @ w + b)
        report("cross-validated by writer", [row for row, one in zip(examples, judged_rows) if one], p[judged_rows])
    w, b = fit(x, rows)
    w, scale = quantised(w)
    WEIGHTS.write_bytes(np.float32(scale).tobytes() + b.astype("<f4").tobytes() + w.tobytes())
    predict = lambda rows: softmax(matrix(rows) @ (w * scale) + b)
    p = predict(held_out)
    report("held out", held_out, p)
    expected = [f"{row[3]}\t{' '.join(f'{one:.4f}' for one in ps)}\n" for row, ps in list(zip(held_out, p))[::EXPECTED_EVERY]
                if len(features.tokens(row[3])) > 3 and "\t" not in row[3]]
    EXPECTED.write_text("".join(expected), encoding="utf-8")
    report_clinc(validation, predict(validation))


if __name__ == "__main__":
    main()
