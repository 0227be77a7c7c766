#!/usr/bin/env python3
"""Fits the two models of `answer/src/reading.rs` to what `fit` wrote, and prints the figures of every set. Needs numpy.

  cargo run --profile bench -p fit -- --sites DIR --mirror CLONES --questions DIR --turns DIR --chats DIR --chats DIR > played.jsonl
  python3 tests/fit/readings.py played.jsonl [--held coworking] [--show] [--slope .75]

Sets that were played with vectors are fitted by themselves.

A text is right if its entry is one of the right ones and it shows the facts that the set names, if it names any. One model
chooses among the entries of a question: a logistic regression on the differences between a right text and a wrong one. The other is
the confidence in the chosen text. What decides about a change are the figures of each site and trade that was left out of both."""
import argparse, collections, html, json, re

import numpy as np

CHOICE_WEIGHTS = {'help': 10., 'chats': 2., 'questions': 1., 'turns': 4.}
SURE_WEIGHTS = {'help': 60., 'chats': 4., 'questions': 5., 'turns': .5}
RIDGE = 4.
# A coefficient of the other sign would be an accident of the few questions of a site: the figure is left out.
NEGATIVE = {'missing', 'empty', 'unmet', 'unknown', 'yes_no', 'yes_no_unknown'}
# Of these sets only the right entries are known, and a question that has an answer counts as one that is answered.
BY_ENTRY = ('questions', 'turns')

logit = lambda p: float(np.clip(np.log(max(p, 1e-9) / max(1 - p, 1e-9)), -6, 6))
short = lambda c: 1 / (1 + np.exp((c['words'] - 8) / 1.5))
long = lambda c: 1 / (1 + np.exp((12 - c['words']) / 2))
near = lambda c: float(np.clip(c['nearness'] or 0, -1, 5))
CHOICE = {
    'page': lambda c, first: logit(c['page']), 'lead': lambda c, first: np.clip(c['lead'], -1, 1), 'first': lambda c, first: first,
    'unit': lambda c, first: c['unit'], 'missing': lambda c, first: np.log1p(min(c['missing'], 8)), 'met': lambda c, first: c['met'],
    'side': lambda c, first: c['side'], 'precise': lambda c, first: c['precise'], 'steps': lambda c, first: c['steps'] - c['no_steps'],
    'empty': lambda c, first: c['empty'], 'title': lambda c, first: c['title'], 'near': lambda c, first: near(c)}
SURE = {
    'page': lambda c: logit(c['page']), 'short': short, 'short_page': lambda c: short(c) * logit(c['page']), 'long': long,
    'long_page': lambda c: long(c) * logit(c['page']), 'unknown': lambda c: c['unknown'], 'yes_no': lambda c: c['yes_no'],
    'yes_no_unknown': lambda c: c['yes_no'] * min(c['unknown'], .5), 'met': lambda c: c['met'], 'unmet': lambda c: c['unmet'],
    'side': lambda c: c['side'], 'empty': lambda c: c['empty'], 'beats': lambda c: c['beats'], 'follows': lambda c: c['follows'], 'title': lambda c: c['title'],
    'near': lambda c: near(c)}


def plain(text):
    text = html.unescape(text)
    links = re.findall(r'\]\(([^)\s]*)[^)]*\)', text)
    text = re.sub(r'!?\[([^\]]*)\]\([^)]*\)', r'\1', text)
    return re.sub(r'\s+', ' ', re.sub(r'[*_`\\]', '', text + ' ' + ' '.join(links))).strip().casefold()


def right(row, c):
    if not row['answerable'] or not any(c['path'] == g or g.endswith('/') and c['path'].startswith(g) for g in row['gold']):
        return False
    if row['set'] == 'chats':
        return all(fact in c['quote'] for fact in row['contains']) and len(c['quote'].split()) <= 90
    text = plain(c['quote'])
    shows = lambda fact: any(plain(part) in text for part in fact.split('|'))
    return all(map(shows, row.get('contains') or [])) and not any(map(shows, row.get('not_contains') or []))


def regress(x, y, w, ridge, offset):
    x = np.c_[np.ones(len(x)), x] if offset else x
    b, penalty = np.zeros(x.shape[1]), np.eye(x.shape[1]) * ridge
    if offset:
        penalty[0, 0] = 1e-9
    for _ in range(100):
        p = 1 / (1 + np.exp(-x @ b))
        step = np.linalg.solve((x * (w * p * (1 - p))[:, None]).T @ x + penalty, x.T @ (w * (y - p)) - penalty @ b)
        b += step
        if abs(step).max() < 1e-9:
            return b
    raise SystemExit('the regression does not converge')


def signed(fit, names):
    """Fits without the figures that get the wrong sign."""
    while True:
        model = fit(names)
        wrong = [n for n in names if n != '' and model[n] * (-1 if n in NEGATIVE else 1) < -1e-9]
        if not wrong:
            return model
        worst = max(wrong, key=lambda n: abs(model[n]))
        names = [n for n in names if n != worst]


def fit_choice(rows):
    sizes = collections.Counter(r['set'] for r in rows)

    def fit(names):
        figures = lambda c, i: np.array([float(CHOICE[n](c, float(i == 0))) for n in names])
        differences, weights = [], []
        for r in rows:
            of = lambda wanted: [(c, i) for i, c in enumerate(r['readings']) if c['right'] == wanted]
            for good in of(True):
                for bad in of(False):
                    differences.append(figures(*good) - figures(*bad))
                    weights.append(CHOICE_WEIGHTS[r['set']] * 200 / sizes[r['set']] / len(of(True)) / len(of(False)))
        x, w = np.array(differences), np.array(weights) / 2
        scale = np.sqrt((x ** 2).mean(axis=0)) + 1e-12
        b = regress(np.r_[x, -x] / scale, np.r_[np.ones(len(x)), np.zeros(len(x))], np.r_[w, w], RIDGE, False)
        return dict(zip(names, b / scale))

    return signed(fit, list(CHOICE))


def is_beside(a, b):
    """Whether two texts are sections of the same page that may be quoted together, as `is_beside` of `answer/src/reading.rs`."""
    page = lambda c: (c['path'].rpartition('/')[0], c['name'].split(' › ')[0])
    is_section = ' › ' in a['name'] + b['name']
    says = a['side'] >= 0 and a['own'] >= .5 * b['own']
    return is_section and says and page(a) == page(b) and len((a['quote'] + ' ' + b['quote']).split()) <= 200


def choose(row, choice):
    readings = row['readings']
    if not readings:
        return None
    fits = [sum(b * CHOICE[n](c, float(i == 0)) for n, b in choice.items()) for i, c in enumerate(readings)]
    # After other questions the nearest entry is kept.
    at = 0 if readings[0]['follows'] else int(np.argmax(fits))
    chosen, others = readings[at], [i for i in range(len(fits)) if i != at]
    near = [i for i in others if is_beside(readings[i], chosen)]
    beside = max(near, key=lambda i: fits[i], default=None)
    if beside is not None and fits[at] - fits[beside] > 2:
        beside = None
    rivals = [fits[i] for i in others if i != beside]
    quote = chosen['quote'] if beside is None else chosen['quote'] + '\n\n' + readings[beside]['quote']
    answer = chosen | {'quote': quote, 'beats': float(np.clip(fits[at] - max(rivals), 0, 3)) if rivals else 1.}
    return answer | {'right': right(row, answer)}


def fit_sure(rows, choice, slope=1.):
    sizes = collections.Counter(r['set'] for r in rows)
    chosen = [(r, c) for r in rows if (c := choose(r, choice))]
    y = np.array([float(r['answerable'] if r['set'] in BY_ENTRY else c['right']) for r, c in chosen])
    w = np.array([SURE_WEIGHTS[r['set']] * 200 / sizes[r['set']] for r, _ in chosen])

    def fit(names):
        x = np.array([[float(SURE[n](c)) for n in names] for _, c in chosen])
        mean, scale = np.average(x, axis=0, weights=w), x.std(axis=0) + 1e-12
        b = regress((x - mean) / scale, y, w, RIDGE, True)
        return dict(zip(names, b[1:] / scale)) | {'': b[0] - (b[1:] / scale) @ mean}

    # Flatter around the threshold: the same questions get an answer, and fewer wrong ones are sure.
    model = signed(fit, list(SURE))
    return {n: slope * b + (0 if n else (1 - slope) * logit(.4)) for n, b in model.items()}


def judge(rows, models):
    choice, sure = models
    for r in rows:
        c = choose(r, choice)
        p = 1 / (1 + np.exp(-sure[''] - sum(b * SURE[n](c) for n, b in sure.items() if n))) if c else 0.
        yield r, p, c


def auroc(p, n):
    p, n = np.array(p), np.array(n)
    return float((p[:, None] > n).mean() + .5 * (p[:, None] == n).mean()) if len(p) and len(n) else float('nan')


def ece(c, y):
    c, y = np.array(c), np.array(y, float)
    bins = np.minimum((c * 10).astype(int), 9)
    return sum((bins == b).mean() * abs(c[bins == b].mean() - y[bins == b].mean()) for b in range(10) if (bins == b).any())


def report(name, judged):
    judged = list(judged)
    answers = [(p, c['right']) for r, p, c in judged if c and p >= .4]
    yes = [(p, bool(c and c['right'])) for r, p, c in judged if r['answerable']]
    no = [p for r, p, _ in judged if not r['answerable']]
    print(f'{name:36}{len(judged):5}  right {np.mean([p >= .4 and y for p, y in yes] or [float("nan")]):.3f}  unanswerable and said so '
          f'{np.mean([p < .4 for p in no] or [float("nan")]):.3f}  confident and wrong {np.mean([p >= .7 and not y for p, y in answers]):.3f}  '
          f'auroc {auroc([p for p, y in answers if y], [p for p, y in answers if not y]):.3f}  ece {ece(*zip(*answers)):.3f}  '
          f'ece of answerable {ece([p for _, p, _ in judged], [r["answerable"] for r, _, _ in judged]):.3f}')


def main():
    a = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    a.add_argument('played')
    a.add_argument('--held', help='the domain that nothing is fitted on')
    a.add_argument('--slope', type=float, default=1., help='how steep the confidence is, relative to the fit')
    a.add_argument('--show', action='store_true', help='print the wrong ones of the sites that were left out')
    a = a.parse_args()
    rows = [json.loads(line) for line in open(a.played)]
    rows = [r for r in rows if r['set'] not in ('variants', 'crossed') and not (
        r['set'] == 'turns' and (r['kind'] == 'alone' or r['answerability'] not in ('answerable', 'unanswerable')))]
    for r in rows:
        r['readings'] = r['readings'] or []
        for c in r['readings']:
            c['right'] = right(r, c)
    used = [r for r in rows if r.get('domain') != a.held]
    both = lambda of: ((choice := fit_choice(of)), fit_sure(of, choice, a.slope))
    models = both(used)
    for s in ('help', 'chats'):
        everything = []
        for d in sorted({r['domain'] for r in used if r['set'] == s}):
            mine = lambda r: r['set'] == s and r['domain'] == d
            left_out = list(judge([r for r in used if mine(r)], both([r for r in used if not mine(r)])))
            report(f'{s} {d}, left out', left_out)
            everything += left_out
        if everything:
            report(f'{s}, left out', everything)
        for r, p, c in everything if a.show and s == 'help' else []:
            if (p >= .4 and not (c and c['right'])) or (r['answerable'] and p < .4):
                print('  ', r['id'], r['text'], f'{p:.2f}', c and c['path'])
    for s in ('help', 'chats', 'questions', 'turns'):
        if of := [r for r in used if r['set'] == s]:
            report(f'{s}, in the fit', judge(of, models))
    if held := [r for r in rows if r.get('domain') == a.held]:
        report(f'{a.held}, not in the fit', judge(held, models))
    for title, model in zip(('choice', 'sure'), models):
        print(title, ' '.join(f'{n or "offset"} {b:.3f}' for n, b in model.items()))


main()
