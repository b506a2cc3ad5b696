import assert from 'node:assert/strict';
import fs, {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { UsageError } from '../../drivers/contract';
import { OutFolder } from './out-folder';
import type { State } from './mark';

const names = ['verdicts.json', 'trace/one.json'];

/** A number that no process of Linux has. */
const deadPid = 2 ** 22 + 1;

function isUsage(message: RegExp): (error: unknown) => boolean {
  return (error) => error instanceof UsageError && message.test(error.message);
}

describe('OutFolder', () => {
  let folder: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'verbspec-test-'));
  });

  afterEach(() => {
    rmSync(folder, { recursive: true });
  });

  /** Writes the same into several files, so that a mixture of two results shows. */
  function publish(out: OutFolder, text: string, state: State = 'whole'): string | undefined {
    mkdirSync(join(out.partial, 'trace'));
    for (const name of names) writeFileSync(join(out.partial, name), text);
    out.keep(state);
    return out.end();
  }

  function textIn(path: string): string {
    const texts = new Set(names.map((name) => readFileSync(join(path, name), 'utf8')));
    assert.equal(texts.size, 1, `a mixture: ${[...texts].join()}`);
    return [...texts].join();
  }

  it('replaces earlier results as a whole, and leaves nothing else', () => {
    const final = join(folder, 'out');
    publish(new OutFolder(final), 'first');
    publish(new OutFolder(final), 'second');
    assert.equal(readFileSync(join(final, 'verdicts.json'), 'utf8'), 'second');
    assert.deepEqual(readdirSync(folder), ['out']);
  });

  it('keeps two runs at the same time apart', () => {
    const final = join(folder, 'out');
    const [one, other] = [new OutFolder(final), new OutFolder(final)];
    publish(one, 'one');
    publish(other, 'other');
    assert.equal(readFileSync(join(final, 'verdicts.json'), 'utf8'), 'other');
    assert.deepEqual(readdirSync(folder), ['out']);
  });

  it("never replaces a folder with somebody's files", () => {
    writeFileSync(join(folder, 'precious'), '');
    assert.throws(() => new OutFolder(folder), UsageError);
    assert.ok(existsSync(join(folder, 'precious')));
  });

  it('refuses a file, and a path through a file', () => {
    const file = join(folder, 'file');
    writeFileSync(file, 'precious');
    assert.throws(() => new OutFolder(file), isUsage(/file is not a folder; name another folder with --out/));
    assert.throws(() => new OutFolder(join(file, 'out')), isUsage(/cannot write results to .*; name another folder/));
    assert.equal(readFileSync(file, 'utf8'), 'precious');
  });

  it('writes to the folder that a link names', () => {
    mkdirSync(join(folder, 'real'));
    symlinkSync('real', join(folder, 'link'));
    publish(new OutFolder(join(folder, 'link')), 'text');
    assert.equal(readFileSync(join(folder, 'real', 'verdicts.json'), 'utf8'), 'text');
    assert.deepEqual(readdirSync(folder).sort(), ['link', 'real']);
  });

  it('prints where the results are that cannot be put in their place', () => {
    const out = new OutFolder(join(folder, 'out'));
    writeFileSync(join(folder, 'out'), 'came meanwhile');
    assert.throws(() => {
      publish(out, 'text');
    }, /cannot write results to .*out: is not a folder; the results are in .*out\.new$/);
    rmSync(join(folder, 'out'));
    publish(new OutFolder(join(folder, 'out')), 'next');
    assert.equal(textIn(join(folder, 'out.new')), 'text', 'the next run leaves them');
  });

  it('removes what a killed run has left, and not what a living one writes', () => {
    mkdirSync(join(folder, `.out.${hostname()}-${deadPid}-abcdef`));
    mkdirSync(join(folder, `.out.${hostname()}-${deadPid}-abcdef-old`));
    const living = new OutFolder(join(folder, 'out'));
    const out = new OutFolder(join(folder, 'out'));
    assert.equal(readdirSync(folder).length, 2);
    for (const each of [living, out]) each.end();
    assert.deepEqual(readdirSync(folder), []);
  });

  /** What makes earlier results more than verbspec wrote. */
  const foreign: readonly (readonly [string, RegExp, (path: string) => void])[] = [
    [
      'a file beside',
      /holds thesis\.txt, which verbspec did not write/,
      (path) => {
        add(path, 'thesis.txt');
      },
    ],
    [
      'a file in a folder',
      /holds trace\/notes, which/,
      (path) => {
        add(path, 'trace/notes');
      },
    ],
    [
      'a folder',
      /holds mine\/, which/,
      (path) => {
        mkdirSync(join(path, 'mine'));
      },
    ],
    [
      'a link in place of a file',
      /holds verdicts\.json, which/,
      (path) => {
        rmSync(join(path, 'verdicts.json'));
        symlinkSync('/etc/hostname', join(path, 'verdicts.json'));
      },
    ],
    [
      'a mark that is none',
      /holds \.verbspec, which is not a mark of verbspec: /,
      (path) => {
        add(path, '.verbspec');
      },
    ],
    [
      'a mark that leads out of the folder',
      /holds \.verbspec, which is not a mark of verbspec: \/entries\/\d must match pattern/,
      (path) => {
        const mark = readFileSync(join(path, '.verbspec'), 'utf8').replace('"trace/"', '"../"');
        writeFileSync(join(path, '.verbspec'), mark);
      },
    ],
    [
      'no mark',
      /holds results without \.verbspec/,
      (path) => {
        rmSync(join(path, '.verbspec'));
      },
    ],
  ];

  function add(path: string, name: string): void {
    writeFileSync(join(path, name), 'precious');
  }

  for (const [what, message, change] of foreign) {
    it(`touches nothing where earlier results have ${what}`, () => {
      const final = join(folder, 'out');
      publish(new OutFolder(final), 'first');
      change(final);
      const before = readdirSync(final, { recursive: true });
      assert.throws(() => new OutFolder(final), isUsage(message));
      assert.deepEqual(readdirSync(final, { recursive: true }), before);
      assert.deepEqual(readdirSync(folder), ['out']);
    });

    it(`keeps both where earlier results get ${what} while it runs`, () => {
      const final = join(folder, 'out');
      publish(new OutFolder(final), 'first');
      const out = new OutFolder(final);
      change(final);
      const before = readdirSync(final, { recursive: true });
      assert.throws(() => publish(out, 'second'), /the results are in .*out\.new/);
      assert.deepEqual(readdirSync(final, { recursive: true }), before);
      assert.equal(textIn(join(folder, 'out.new')), 'second');
    });
  }

  it('replaces results with the page that the user was asked to make', () => {
    const final = join(folder, 'out');
    publish(new OutFolder(final), 'first');
    mkdirSync(join(final, 'allure-report'));
    add(final, 'allure-report/index.html');
    publish(new OutFolder(final), 'second');
    assert.equal(textIn(final), 'second');
  });

  it('replaces the results of its own command alone', () => {
    publish(new OutFolder(join(folder, 'out')), 'run');
    assert.throws(
      () => new OutFolder(join(folder, 'out'), 'report'),
      isUsage(/is not empty and holds no earlier results of this command, but those of `verbspec run`/),
    );
  });

  it('refuses what links lead to in a circle, or to nothing', () => {
    symlinkSync('loop', join(folder, 'loop'));
    symlinkSync('nothing', join(folder, 'dangling'));
    assert.throws(() => new OutFolder(join(folder, 'loop')), isUsage(/loop leads through links in a circle/));
    assert.throws(() => new OutFolder(join(folder, 'loop', 'x')), isUsage(/leads through links in a circle/));
    assert.throws(() => new OutFolder(join(folder, 'dangling')), isUsage(/dangling is a link to nothing/));
  });

  for (const umask of [0o022, 0o027]) {
    it(`gives results the permissions of umask ${umask.toString(8)}, or those of the folder that was there`, () => {
      const before = process.umask(umask);
      try {
        publish(new OutFolder(join(folder, 'out')), 'text');
        assert.equal(statSync(join(folder, 'out')).mode & 0o777, 0o777 & ~umask);
        assert.equal(statSync(join(folder, 'out', 'verdicts.json')).mode & 0o777, 0o666 & ~umask);
        mkdirSync(join(folder, 'private'), { mode: 0o700 });
        publish(new OutFolder(join(folder, 'private')), 'text');
        assert.equal(statSync(join(folder, 'private')).mode & 0o777, 0o700);
      } finally {
        process.umask(before);
      }
    });
  }

  for (const isVolume of [false, true]) {
    describe(isVolume ? 'in a volume' : 'in a folder', () => {
      let final: string;
      let interrupted: string;

      beforeEach(() => {
        final = join(folder, 'out');
        interrupted = isVolume ? join(final, 'interrupted') : `${final}.interrupted`;
        mkdirSync(final);
      });

      function open(): OutFolder {
        return new OutFolder(final, 'run', () => isVolume);
      }

      it('lays interrupted results beside whole ones, and in their place where there are none', () => {
        assert.equal(publish(open(), 'cut', 'interrupted'), undefined);
        assert.equal(textIn(final), 'cut');
        assert.equal(publish(open(), 'whole'), undefined);
        assert.equal(publish(open(), 'cut again', 'interrupted'), interrupted);
        assert.equal(publish(open(), 'and again', 'interrupted'), interrupted);
        assert.deepEqual([textIn(final), textIn(interrupted)], ['whole', 'and again']);
        publish(open(), 'next');
        assert.deepEqual([textIn(final), textIn(interrupted)], ['next', 'and again']);
      });

      it('never takes a record without verdicts for results', () => {
        const out = open();
        writeFileSync(join(out.partial, 'messages.ndjson'), '');
        out.keep('interrupted');
        assert.equal(out.end(), interrupted);
        assert.deepEqual(readdirSync(interrupted).sort(), ['.verbspec', 'messages.ndjson']);
      });

      it('leaves old or new results whole wherever it is killed, and the next run puts them in order', (context) => {
        publish(open(), 'old');
        let renames = 0;
        let isDone = false;
        for (let allowed = 0; !isDone; allowed++) {
          const out = open();
          renames = 0;
          const real = fs.renameSync;
          const killing = context.mock.method(fs, 'renameSync', (from: string, to: string) => {
            renames += 1;
            if (renames > allowed) throw new Error('killed');
            real(from, to);
          });
          try {
            publish(out, `new ${allowed}`);
            isDone = true;
          } catch (error) {
            assert.match(String(error), /killed/);
          } finally {
            killing.mock.restore();
          }
          bury(isVolume ? final : folder);
          open().end();
          assert.match(textIn(final), /^(old|new \d+)$/);
          assert.deepEqual(open().end(), undefined, 'it holds nothing but results');
        }
        assert.ok(renames >= (isVolume ? 6 : 3), `${renames} renames`);
        assert.deepEqual(readdirSync(final).sort(), ['.verbspec', 'trace', 'verdicts.json']);
        assert.deepEqual(readdirSync(folder), ['out']);
      });
    });
  }
});

/** Lets what this process has under way look as if it had died. */
function bury(parent: string): void {
  for (const name of readdirSync(parent)) {
    const ofDead = name.replace(`-${process.pid}-`, `-${deadPid}-`);
    if (ofDead !== name) renameSync(join(parent, name), join(parent, ofDead));
  }
}
