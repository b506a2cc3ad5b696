import assert from 'node:assert/strict';
import { it } from 'node:test';
import { HarnessError } from '../../contract';
import { builtHostProgram } from './local-carrier';

it('a host program that is not built yet is named before anything is started, with what builds it', () => {
  assert.throws(
    () => builtHostProgram('/nonexistent/host.js'),
    new HarnessError('the host program is not built', '`npm run setup` builds it'),
  );
  assert.equal(builtHostProgram(__filename), __filename);
});
