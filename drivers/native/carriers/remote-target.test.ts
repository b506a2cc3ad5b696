import assert from 'node:assert/strict';
import { isIPv6 } from 'node:net';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { UsageError } from '../../contract';
import { remoteTargetOf } from './remote-target';
import { sshArguments } from './ssh';

/** Each run has the same cases. */
fc.configureGlobal({ seed: 20261121 });

describe('--host', () => {
  for (const [text, destination, folder] of [
    ['lab1', 'lab1', 'verbspec'],
    ['root@lab1', 'root@lab1', 'verbspec'],
    ['me@lab-1.example.org:src/verbspec', 'me@lab-1.example.org', 'src/verbspec'],
    ['me@10.0.0.1:~/verbspec/', 'me@10.0.0.1', 'verbspec'],
    ['me@lab:/opt/verbspec-0.1', 'me@lab', '/opt/verbspec-0.1'],
    ['me@[fe80::1%eth0]:/opt/v', 'me@fe80::1%eth0', '/opt/v'],
  ] as const) {
    it(`${text} is ${destination} with ${folder}`, () => {
      assert.deepEqual(remoteTargetOf(text), { destination, folder });
    });
  }

  for (const text of [
    '',
    '-lroot',
    'root@-oProxyCommand=x',
    'a b',
    'me@lab:',
    'me@lab:-rf',
    'me@lab:a/-b',
    'me@lab:a//b',
    'me@lab:a b',
    'me@lab:$(x)',
    'me@lab:a;b',
    'me@lab:a\nb',
    'me@lab\n',
    'me@@lab',
    '[:]',
    'me@[::1]]',
    '~/x',
    'me@lab:~root/x',
  ]) {
    it(`refuses ${JSON.stringify(text)}`, () => {
      assert.throws(() => remoteTargetOf(text), UsageError);
    });
  }

  it('brings nothing to a shell that a shell could take for more than a word', () => {
    const pieces = fc.constantFrom(...Array.from('aZ9._-~/:@$`\'"\\;&|<>(){}[]*?!#%^ \t\n'), 'root@lab', ':', '../');
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 12 }), (parts) => {
        let args: string[];
        try {
          args = sshArguments(remoteTargetOf(parts.join('')), { session: 1, run: 'r', marker: 'm' });
        } catch (error) {
          return error instanceof UsageError;
        }
        const [separator, destination = '', command = ''] = args.slice(-3);
        return (
          separator === '--' &&
          (/^\w/.test(destination) || isIPv6(destination)) &&
          /^exec node [\w./+-]+ --session 1 --run r --marker m$/.test(command)
        );
      }),
      { numRuns: 20_000 },
    );
  });
});
