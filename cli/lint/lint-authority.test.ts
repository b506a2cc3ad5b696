import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Clause } from '../../catalog/clauses';
import { authorityProblems } from './lint-authority';

const page = 'ibv_get_cq_event';

function problemsOf(slug: string, section: string, authority: Clause['authority']): string[] {
  return authorityProblems({ id: `${page}.${slug}`, page, section, authority, level: 'must', testable: 'loopback' });
}

test('the section and the authority agree on RDMAmojo', () => {
  assert.deepEqual(problemsOf('fills-cq', 'DESCRIPTION', 'page'), []);
  assert.deepEqual(problemsOf('fills-cq', 'DESCRIPTION', 'ibta'), []);
  assert.deepEqual(problemsOf('blocks', 'COMMENTS (RDMAmojo)', 'rdmamojo'), []);
  assert.match(
    problemsOf('blocks', 'COMMENTS (RDMAmojo)', 'page').join('\n'),
    /^clause .*\.blocks has the authority page/,
  );
  assert.match(problemsOf('blocks', 'COMMENTS (RDMAmojo)', 'ibta').join('\n'), /names RDMAmojo; name the section/);
  assert.match(problemsOf('blocks', 'NOTES', 'rdmamojo').join('\n'), /is one of the page; write "\(RDMAmojo\)" after/);
});

test('what fcntl() and poll() do is for POSIX to say', () => {
  for (const slug of ['fd-nonblock', 'fd-nonblock-empty-get', 'fd-getfl-preserve', 'fd-pollin-on-event']) {
    assert.deepEqual(problemsOf(slug, 'EXAMPLES', 'posix'), []);
    assert.match(
      problemsOf(slug, 'EXAMPLES', 'page').join('\n'),
      /is about fcntl\(\) or poll\(\), and its authority is page;/,
    );
  }
  assert.deepEqual(problemsOf('fd-poll-timeout', 'EXAMPLES', 'page').length, 1);
  assert.deepEqual(problemsOf('fd-get-after-pollin', 'EXAMPLES', 'page').length, 1);
  assert.deepEqual(problemsOf('fd-events-need-ack', 'EXAMPLES', 'page'), []);
});
