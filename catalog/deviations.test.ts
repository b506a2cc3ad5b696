import assert from 'node:assert/strict';
import { test } from 'node:test';
import { asDeviations } from './deviations';
import { deviation, listOf } from '../reports/fixtures/deviation';

const entry = deviation({
  rule: 'ibv_create_cq.min-size',
  when: { vendorId: '0x15b3', fwVer: '<20.39' },
  expires: '2027-02-28',
});

const defects: readonly [object, string, RegExp][] = [
  [{ ...entry, symptom: 'observed \\d' }, '/1/symptom', /allowed values: crash, hang, panic$/],
  [{ ...entry, symptom: {} }, '/1/symptom', /'subject'/],
  [{ ...entry, symptom: { subject: 1 } }, '/1/symptom/subject', /must be string/],
  [{ ...entry, symptom: { subject: 'x', withinMs: 1 } }, '/1/symptom', /"withinMs"/],
  [{ ...entry, when: { kernel: 'old' } }, '/1/when/kernel', /not a range of versions/],
  [{ ...entry, when: { fwVer: 'x' } }, '/1/when/fwVer', /not a range of versions/],
  [{ ...entry, when: { rdmaCore: '~55' } }, '/1/when/rdmaCore', /not a range of versions/],
  [{ ...entry, when: {} }, '/1/when', /fewer than 1/],
  [{ ...entry, when: { vendorId: 'mlx' } }, '/1/when/vendorId', /pattern/],
  [{ ...entry, when: { vendorPartId: -1 } }, '/1/when/vendorPartId', />= 0/],
  [{ ...entry, link: 'javascript:alert(1)' }, '/1/link', /pattern/],
  [{ ...entry, expires: 'soon' }, '/1/expires', /pattern/],
  [{ ...entry, expires: '2027-02-30' }, '/1/expires', /"2027-02-30" is not a date/],
  [{ ...entry, showsOnlyIf: 'the moon is full' }, '/1', /showsOnlyIf/],
  [{ ...entry, scenario: 'One', showsOnlyIf: '' }, '/1/showsOnlyIf', /fewer than 1/],
  [{ ...entry, until: '2030' }, '/1', /"until"/],
];

test('a list without defects is read as it is', () => {
  assert.deepEqual(asDeviations(listOf([entry])), [entry]);
  assert.deepEqual(asDeviations(listOf([])), []);
});

for (const [defect, path, text] of defects) {
  test(`a defect at ${path} is reported: ${text}`, () => {
    const read = asDeviations(listOf([entry, defect]));
    assert.ok('departures' in read);
    const [first] = read.departures;
    assert.equal(first?.path, `/deviations${path}`);
    assert.match(first.text, text);
  });
}

test('an entry has an owner', () => {
  const { owner, ...unowned } = entry;
  const read = asDeviations(listOf([unowned]));
  assert.ok('departures' in read, owner);
  assert.match(read.departures[0]?.text ?? '', /'owner'/);
});

test('a symptom has any values', () => {
  for (const value of [null, true, 1, 'x', ['x'], { wr_id: '*' }, { anyOf: [1, 2] }]) {
    const list = [{ ...entry, symptom: { step: '* CQ', subject: 'x', expected: value, observed: value } }];
    assert.deepEqual(asDeviations(listOf(list)), list);
  }
});

test('a list of version 1 is refused, and so is one of the future', () => {
  const textOf = (data: unknown): string => {
    const read = asDeviations(data);
    assert.ok('departures' in read);
    return read.departures.map(({ path, text }) => `${path} ${text}`).join('\n');
  };
  const { symptom, ...others } = entry;
  assert.match(
    textOf([{ ...others, symptom: 'observed 1' }]),
    /^ is of schema version 1, .* write it as \{"schemaV.*$/,
  );
  assert.equal(
    textOf({ schemaVersion: 3, deviations: [{ ...others, symptom }] }),
    '/schemaVersion must be equal to constant',
  );
});
