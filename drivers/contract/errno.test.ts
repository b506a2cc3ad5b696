import assert from 'node:assert/strict';
import { constants } from 'node:os';
import { describe, it } from 'node:test';
import { errnoName, errnos } from './errno';

describe('errno', () => {
  it('has the values of this system', () => {
    const known: Readonly<Record<string, number>> = errnos;
    const aliases = ['EWOULDBLOCK', 'ENOTSUP'];
    const own = Object.entries(constants.errno).filter(([name]) => !aliases.includes(name));
    assert.deepEqual(
      own.filter(([name, value]) => known[name] !== value),
      [],
    );
  });

  it('is named as the pages do, or by its digits', () => {
    assert.deepEqual([11, 95, 9999].map(errnoName), ['EAGAIN', 'EOPNOTSUPP', '9999']);
  });
});
