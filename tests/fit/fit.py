#!/usr/bin/env python3
"""Fits the constants of the confidence to what `fit` wrote, and prints the figures of every set. Needs numpy.

  cargo run --profile bench -p fit -- --questions DIR --turns DIR --chats DIR --chats DIR --variants FILE [--vectors CACHE] > played.jsonl
  python3 tests/fit/fit.py played.jsonl

The second command is all: without vectors in `played.jsonl` it fits the first column of `Coefficients` of `rank/confidence.rs`, with
vectors the second (`vectors.py` makes them), and prints the coefficients in the order of the lines.

A ridge-penalised logistic regression of "the wiki has the answer" on the evidence of the first source. Each set has one weight,
and within it answerable and unanswerable questions have a fixed share, so that a set of mostly answerable questions does not pass
for proof that questions are answerable. What decides about a change are the figures of each domain (a trade, a site) that was left
out of the fit, beside those of the confidence as it is built: a refit that is not better there is not worth it. Before them stand the figures of the probability of follow-ups with several shares of its two parts."""
import argparse, collections, json, re

import numpy as np

LEXICAL_WEIGHTS, VECTOR_WEIGHTS = 'questions=7,turns=.6,chats=1', 'questions=6,turns=.3,chats=1'
# The share of answerable questions that each set is weighed to have: as in `questions`; of chats `--chats`.
ANSWERABLE = collections.defaultdict(lambda: .642)


def shortness(words):
    return 1 / (1 + np.exp((words - 8) / 1.5))


LEXICAL = {
    'x': lambda e: e['x'], 'short': lambda e: shortness(e['words']), 'short_x': lambda e: shortness(e['words']) * e['x'],
    'short_coverage': lambda e: shortness(e['words']) * e['coverage'], 'missing': lambda e: np.log1p(min(e['missing'], 8)),
    'margin': lambda e: np.log1p(e['margin'])}
WITH_VECTORS = {name: LEXICAL[name] for name in ('x', 'short', 'short_coverage')} | {
    'short_unknown_share': lambda e: shortness(e['words']) * e['unknown_share'], 'missing': LEXICAL['missing'], 'nearness': lambda e: e['nearness']}
# The factor of the regression's log-odds, and what is added for long and for short questions, so that more of those without an
# answer are called a gap and chats keep their answers.
CORRECTION, CORRECTION_WITH_VECTORS = (1.1, -.39, -.07), (1, -.37, .3)


def auroc(p, n):
    p, n = np.array(p), np.array(n)
    return float(((p[:, None] > n).mean() + .5 * (p[:, None] == n).mean())) if len(p) and len(n) else float('nan')


def ece(c, y):
    bins = np.minimum((c * 10).astype(int), 9)
    return sum((bins == b).mean() * abs(c[bins == b].mean() - y[bins == b].mean()) for b in range(10) if (bins == b).any())


def regress(x, y, weights, ridge):
    """Newton's method; the offset, first, is not penalised."""
    x = np.c_[np.ones(len(x)), x]
    b, penalty = np.zeros(x.shape[1]), np.eye(x.shape[1]) * ridge
    penalty[0, 0] = 1e-9
    for _ in range(100):
        p = 1 / (1 + np.exp(-x @ b))
        step = np.linalg.solve((x * (weights * p * (1 - p))[:, None]).T @ x + penalty, x.T @ (weights * (y - p)) - penalty @ b)
        b += step
        if abs(step).max() < 1e-9:
            return b
    raise SystemExit('the regression does not converge')


def fit(rows, names, weights, ridge):
    x = np.array([[names[n](r['evidence']['first']) for n in names] for r in rows])
    y = np.array([float(r['answerable']) for r in rows])
    w = np.zeros(len(rows))
    for s, share in weights.items():
        for answerable in (True, False):
            mask = np.array([r['set'] == s and r['answerable'] == answerable for r in rows])
            if mask.any():
                w[mask] = 500 * share * (ANSWERABLE[s] if answerable else 1 - ANSWERABLE[s]) / mask.sum()
    mean, sd = np.average(x, axis=0, weights=w), x.std(axis=0) + 1e-12
    b = regress((x - mean) / sd, y, w, ridge)
    factor, for_long, for_short = CORRECTION if names is LEXICAL else CORRECTION_WITH_VECTORS
    slopes = factor * b[1:] / sd
    offset = factor * b[0] - slopes @ mean
    return offset + for_long, slopes + (for_short - for_long) * np.array([n == 'short' for n in names])


def confidence(rows, names, model):
    x = np.array([[names[n](r['evidence']['first']) for n in names] for r in rows])
    return 1 / (1 + np.exp(-(model[0] + x @ model[1])))


def tokens(text):
    return [w for w in re.findall(r'[^\W_]+', text.lower()) if w not in ('a', 'an', 'the')]


def f1(answer, gold):
    a, g = collections.Counter(tokens(answer)), collections.Counter(tokens(gold))
    same = sum((a & g).values())
    return 2 * same / (sum(a.values()) + sum(g.values())) if same else 0.


def shows(row):
    return all(c in row['quote'] for c in row['contains']) and len(row['quote'].split()) <= 90


def report(rows):
    hit = lambda r, k: any(p in r['gold'] for p in r['sources'][:k])
    groups = collections.defaultdict(list)
    for r in rows:
        if r['set'] == 'turns':
            if r['answerability'] == 'answerable' and r['gold']:
                groups[f"turns {r['kind']}"].append(r)
                if r['follows']:
                    groups[f"turns {r['kind']} follow-ups"].append(r)
        elif r['answerable']:
            groups[' '.join(filter(None, (r['set'], r.get('kind'), 'later' if r.get('place') else None)))].append(r)
    for name, g in groups.items():
        line = f"{name:28} {len(g):4}  hit1 {np.mean([hit(r, 1) for r in g]):.3f}  hit3 {np.mean([hit(r, 3) for r in g]):.3f}"
        line += f"  answered {np.mean([r['answered'] for r in g]):.3f}"
        if name == 'questions':
            line += f"  f1 {np.mean([max([f1(r['answer'], a) for a in r['gold_answers']] or [0]) for r in g]):.3f}"
        if name.startswith('chats'):
            line += f"  right {sum(hit(r, 1) and r['answered'] and shows(r) for r in g)}  fact shown {sum(map(shows, g))}"
        print(line)
    for s in ('questions', 'turns', 'chats'):
        mine = [r for r in rows if r['set'] == s and r.get('kind') != 'alone' and r.get('answerability') != 'partial']
        yes, no = ([r['confidence'] for r in mine if r['answerable'] == a] for a in (True, False))
        c, y = np.array([r['confidence'] for r in mine]), np.array([float(r['answerable']) for r in mine])
        if len(mine):
            print(f'{s:10} auroc {auroc(yes, no):.3f}  ece {ece(c, y):.3f}  unanswerable and said so {np.mean(np.array(no) < .4):.3f}'
                  f'  answerable and called a gap {np.mean(np.array(yes) < .4):.3f}')


def logit(p):
    return float(np.clip(np.log(max(p, 1e-9) / max(1 - p, 1e-9)), -6, 6))


def conversations(rows):
    """What the shares of `rank/confidence.rs` do to questions that follow others: real follow-ups, and (`crossed`) new topics."""
    groups = collections.defaultdict(list)
    for r in rows:
        f = ((r['evidence'] or {}).get('first') or {}).get('follow_up')
        if f and not (r['set'] == 'turns' and (r['kind'] == 'alone' or r['answerability'] not in ('answerable', 'unanswerable'))):
            groups['crossed ' + r['kind'] if r['set'] == 'crossed' else r['set']].append((r, f))
    for share in (0, .2, .4, .6, .8, 1):
        for raised in (0, .3):
            line = f'share {share:.1f} raised {raised:.1f}'
            for name, g in groups.items():
                # The share of a question with one topic is another.
                shares = [.7 if f['topics'] == 1 else share for _, f in g]
                mixed = [raised + s * logit(f['together']) + (1 - s) * logit(f['alone']) for s, (_, f) in zip(shares, g)]
                c = [logit(f['together']) / 2 if not f['topics'] else logit(f['alone']) if f['unknown'] else m for m, (_, f) in zip(mixed, g)]
                c, y = 1 / (1 + np.exp(-np.array(c))), np.array([float(r['answerable']) for r, _ in g])
                line += f' | {name} answered {np.mean(c[y > 0] >= .4):.3f}, unanswerable {np.mean(c[y == 0] >= .4):.3f}, auroc {auroc(c[y > 0], c[y == 0]):.3f}, ece {ece(c, y):.3f}'
                if name == 'chats':
                    line += f", fact shown {sum(c >= .4 and shows(r) for c, (r, _) in zip(c, g) if r['answerable'])}"
            print(line)
    known = [(r, f) for r, f in groups['turns'] if f['topics'] and not f['unknown']]
    if known:
        b = regress(np.array([[logit(f['together']), logit(f['alone'])] for _, f in known]), np.array([float(r['answerable']) for r, _ in known]), np.ones(len(known)), 1)
        print(f'regression on turns: {b[0]:.2f} {b[1]:+.2f} together {b[2]:+.2f} alone')


def domains_of(rows):
    """The set and domain of each row. Questions of a domain that has no answers are dealt to those that have, in turn."""
    name = lambda r: (r['set'], re.sub('^.*:|-heldout$', '', r.get('domain') or ''))
    answerable = {name(r) for r in rows if r['answerable']}
    homes = {s: sorted(d for d in answerable if d[0] == s) for s, _ in answerable}
    return [name(r) if name(r) in answerable else homes[r['set']][place % len(homes[r['set']])] for place, r in enumerate(rows)]


def judged(rows, c):
    """The figures of one domain; the bins of ece are weighed as if .642 of the questions were answerable."""
    y = np.array([bool(r['answerable']) for r in rows])
    right = np.array([any(p in r['gold'] for p in r['sources'][:1]) for r in rows])
    w, bins = np.where(y, .642 / y.sum(), .358 / max((~y).sum(), 1)), np.minimum((c * 10).astype(int), 9)
    return (f'auroc {auroc(c[y], c[~y]):.3f}  ece {sum(abs((w * (c - y))[bins == b].sum()) for b in range(10)):.3f}  gap recall '
            f'{np.mean(c[~y] < .4):.3f}  right {right[y].mean():.3f}, and answered {np.mean((c >= .4)[y] & right[y]):.3f}  '
            f'wrong and answered {np.mean((c >= .4)[y] & ~right[y]):.3f}')


def main():
    a = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    a.add_argument('played')
    a.add_argument('--weights', help=f'by default {LEXICAL_WEIGHTS}, with vectors {VECTOR_WEIGHTS}')
    a.add_argument('--chats', type=float, help='the share of answerable questions that chats are weighed to have; by default .5, with vectors .7')
    a.add_argument('--ridge', type=float, default=.3)
    a = a.parse_args()
    rows = [json.loads(line) for line in open(a.played)]
    report(rows)
    print()
    conversations(rows)
    usable = [r for r in rows if (r['evidence'] or {}).get('first') and r['set'] in ('questions', 'turns', 'chats') and not (
        r['set'] == 'turns' and (r['kind'] == 'talk' or r['answerability'] not in ('answerable', 'unanswerable')))]
    usable = [r for r in usable if not (r['set'] == 'chats' and r['kind'] == 'followup' and r['place'])]
    near = [r for r in usable if r['evidence']['first']['nearness'] is not None]
    names, usable, default = (WITH_VECTORS, near, VECTOR_WEIGHTS) if near else (LEXICAL, usable, LEXICAL_WEIGHTS)
    weights = {k: float(v) for k, v in (part.split('=') for part in (a.weights or default).split(','))}
    ANSWERABLE['chats'] = a.chats or (.7 if near else .5)
    model = fit(usable, names, weights, a.ridge)
    print('\noffset', round(model[0], 3), ' '.join(f'{n} {v:.3f}' for n, v in zip(names, model[1])))
    domains = domains_of(usable)
    for d in sorted(set(domains)):
        mine, rest = ([r for r, of in zip(usable, domains) if (of == d) == inside] for inside in (True, False))
        for title, m in (('left out', fit(rest, names, weights, a.ridge)), ('in the fit', model), ('as built', None)):
            c = confidence(mine, names, m) if m else np.array([r['confidence'] for r in mine])
            print(f"{' '.join(d):22} {len(mine):4} {title:10} {judged(mine, c)}")
    questions = [r for r in usable if r['set'] == 'questions']
    c, y = confidence(questions, names, model), np.array([float(r['answerable']) for r in questions])
    print(f'questions as they are: auroc {auroc(c[y > 0], c[y == 0]):.3f}  ece {ece(c, y):.3f}  gap recall {np.mean((c < .4)[y == 0]):.3f}')


main()
