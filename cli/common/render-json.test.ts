import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { featuresFolder, pageFiles } from '../../catalog/page-data';
import { renderJson } from './render-json';

test('the data of all pages are formatted as Prettier formats them', () => {
  for (const { path } of [...pageFiles('clauses'), ...pageFiles('sentences')]) {
    const text = readFileSync(join(featuresFolder, path), 'utf8');
    assert.equal(renderJson(JSON.parse(text)), text, path);
  }
});

test('a list that is too long for a line stands in several', () => {
  const names = ['a', 'b'].map((letter) => letter.repeat(60));
  assert.equal(renderJson({ names }), `{\n  "names": [\n    "${names.join('",\n    "')}"\n  ]\n}\n`);
});
