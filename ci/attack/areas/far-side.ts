import { broken, rule } from '../expect';
import type { Area, Try } from '../try';

const toLab = ['run', rule, '--driver', 'hca', '-d', 'mlx5_0', '--host'];

/** What an ssh of ours knows: the marker of the run, with which the far side begins its words. */
const marker = 'for word; do :; done; marker=${word##*--marker }';
const ready = `echo "$marker {\\"kind\\":\\"ready\\"}" >&2`;

/** What the far side does, as a shell script. */
const acts: Readonly<Record<string, string>> = {
  'says a word that is cut off': 'echo "$marker {" >&2; sleep 1',
  'says null': 'echo "$marker null" >&2; sleep 1',
  'says a number': 'echo "$marker 7" >&2; sleep 1',
  'says a list': 'echo "$marker []" >&2; sleep 1',
  'says an empty object': 'echo "$marker {}" >&2; sleep 1',
  'says a word of another kind': `echo "$marker {\\"kind\\":\\"__proto__\\"}" >&2; sleep 1`,
  'refuses without a reason': `echo "$marker {\\"kind\\":\\"refused\\"}" >&2`,
  'refuses for an object': `echo "$marker {\\"kind\\":\\"refused\\",\\"reason\\":{}}" >&2`,
  'refuses with hostile text': `printf '%s {"kind":"refused","reason":"evil\\\\u001b[31m\\\\n::add-mask::x ##[error]y"}\\n' "$marker" >&2`,
  'has ended before it began': `echo "$marker {\\"kind\\":\\"ended\\",\\"exit\\":null}" >&2; sleep 1`,
  'ends with an exit of another shape': `${ready}; echo "$marker {\\"kind\\":\\"ended\\",\\"exit\\":{\\"code\\":[]}}" >&2; sleep 1`,
  'says the marker without a word': 'echo "$marker " >&2; echo "x$marker y" >&2; sleep 1',
  'says hostile text': `printf 'evil\\033[31m\\033]0;x\\007\\n::add-mask::x\\n' >&2; exit 255`,
  'says nothing and goes': 'exit 0',
  'is killed': 'kill -KILL $$',
  'lets nobody in': 'echo "root@lab1: Permission denied (publickey)." >&2; exit 255',
  'has another key': 'echo "WARNING: REMOTE HOST IDENTIFICATION HAS CHANGED!" >&2; exit 255',
  'is ready and goes': `${ready}; exit 0`,
  'greets with no JSON': `${ready}; echo "Welcome to lab1"; sleep 5`,
  'greets with null': `${ready}; echo null; sleep 5`,
  'greets with a list': `${ready}; echo '[]'; sleep 5`,
  'greets with a deep list': `${ready}; head -c 200000 /dev/zero | tr '\\0' '['; echo; sleep 5`,
  'greets with a byte order mark': `${ready}; printf '\\357\\273\\277{"jsonrpc":"2.0"}\\n'; sleep 5`,
  'answers what nobody asked': `${ready}; echo '{"jsonrpc":"2.0","id":99,"result":{}}'; sleep 5`,
  'greets with hostile text': `${ready}; printf '{"jsonrpc":"2.0","method":"evil\\033[31m"}\\n::add-mask::x\\n'; sleep 5`,
  'writes a line without an end': `${ready}; exec cat /dev/zero`,
};

/** Floods that must not fill the memory of this side. */
const floods: Readonly<Record<string, string>> = {
  'a line without an end on stderr': 'head -c 1500M /dev/zero | tr "\\0" x >&2',
  'lines without an end on stderr': 'timeout 5 yes "what a fine day" >&2',
  'words without an end': 'timeout 5 yes "$marker {}" >&2',
};

function tryAct([act, script]: readonly [string, string], index: number): Try {
  return {
    name: `a far side that ${act}`,
    args: [...toLab, 'root@lab1'],
    prepare: (scratch) => {
      scratch.program('bin/ssh', `${marker}\n${script}`);
    },
    env: { PATH: '{here}/bin:{path}' },
    expect: broken(/lab1|host process|far side|line/),
    changes: ['out'],
    memoryMaxMiB: 800,
    quick: index < 2,
  };
}

/** The other end of an ssh connection. */
export const farSide: Area = {
  area: 'far-side',
  tries: [
    ...Object.entries(acts).map(tryAct),
    ...Object.entries(floods).map((entry) => ({ ...tryAct(entry, 2), name: `a far side that writes ${entry[0]}` })),
    { ...tryAct(['never says anything', 'exec sleep 600'], 2), maxMs: 200_000 },
    {
      ...tryAct(['is not there, as there is no ssh', ''], 2),
      env: { PATH: '/nonexistent' },
      under: `PATH=/bin:/usr/bin; program=$1; shift; PATH=/nonexistent; export PATH; exec "$program" "$@"`,
    },
  ],
};
