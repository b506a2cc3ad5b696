import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { UsageError } from '../../contract';
import { compareReleases, looksLikeRelease, newestMatch, suiteOf } from './releases';

describe('newestMatch', () => {
  const releases = ['6.1.0-9-amd64', '6.1.0-56-amd64', '6.12.107+deb13-amd64', '6.1.0-10-amd64'];

  it('takes the newest release of a series by its numbers', () => {
    assert.equal(newestMatch('6.1', releases), '6.1.0-56-amd64');
  });

  it('ends a series at a boundary', () => {
    assert.equal(newestMatch('6.12', releases), '6.12.107+deb13-amd64');
    assert.equal(newestMatch('6.12.107', releases), '6.12.107+deb13-amd64');
    assert.equal(newestMatch('6.12.10', releases), undefined);
  });

  it('takes a whole release as it stands', () => {
    assert.equal(newestMatch('6.1.0-9-amd64', releases), '6.1.0-9-amd64');
  });

  it('ignores what lies beside kernels in a cache', () => {
    assert.equal(newestMatch('6.1', ['.tmp-host-1-abc', '6.10.1']), undefined);
  });
});

describe('suiteOf', () => {
  it('knows the suite of a series and of a whole release', () => {
    assert.equal(suiteOf('6.1').name, 'bookworm');
    assert.equal(suiteOf('6.1.0-56-amd64').name, 'bookworm');
    assert.equal(suiteOf('6.12.107+deb13-amd64').name, 'trixie');
    assert.equal(suiteOf('7.2').name, 'sid');
    assert.equal(suiteOf('10.0').name, 'sid');
  });

  it('refuses others and lists the known ones', () => {
    for (const wanted of ['6.10', '6.2', '5.10', 'latest']) {
      assert.throws(
        () => suiteOf(wanted),
        (error) => error instanceof UsageError && error.message.includes('6.1 (bookworm), 6.12 (trixie)'),
      );
    }
  });
});

describe('looksLikeRelease', () => {
  it('distinguishes releases from folders', () => {
    for (const release of ['6.1', '6.1.0-56-amd64', '7.2.13+deb14-amd64', '7.2-rc1']) {
      assert.ok(looksLikeRelease(release), release);
    }
    for (const folder of ['/boot', '.', '6', '6.1/tree', './6.1', 'linux-6.1']) {
      assert.ok(!looksLikeRelease(folder), folder);
    }
  });
});

describe('compareReleases', () => {
  it('orders by number, not by letter', () => {
    assert.deepEqual(['6.12.1', '6.1.0-10', '6.1.0-9'].sort(compareReleases), ['6.1.0-9', '6.1.0-10', '6.12.1']);
  });
});
