import assert from 'node:assert/strict';
import { test } from 'node:test';
import { asDeviations } from './deviations';
import { deviation } from '../reports/fixtures/deviation';

const entry = deviation({
  rule: 'ibv_create_cq.min-size',
  when: { vendorId: '0x15b3', fwVer: '<20.39' },
  expires: '2027-02-28',
});

const defects: readonly [object, string, RegExp][] = [
  [{ ...entry, symptom: '(' }, '/1/symptom', /Unterminated group/],
  [{ ...entry, when: { kernel: 'old' } }, '/1/when/kernel', /no range of versions/],
  [{ ...entry, when: { fwVer: 'x' } }, '/1/when/fwVer', /no range of versions/],
  [{ ...entry, when: { rdmaCore: '~55' } }, '/1/when/rdmaCore', /no range of versions/],
  [{ ...entry, when: {} }, '/1/when', /fewer than 1/],
  [{ ...entry, when: { vendorId: 'mlx' } }, '/1/when/vendorId', /pattern/],
  [{ ...entry, when: { vendorPartId: -1 } }, '/1/when/vendorPartId', />= 0/],
  [{ ...entry, link: 'javascript:alert(1)' }, '/1/link', /pattern/],
  [{ ...entry, expires: 'soon' }, '/1/expires', /pattern/],
  [{ ...entry, expires: '2027-02-30' }, '/1/expires', /"2027-02-30" is no date/],
  [{ ...entry, until: '2030' }, '/1', /"until"/],
];

test('a list without defects is read as it is', () => {
  assert.deepEqual(asDeviations([entry]), [entry]);
  assert.deepEqual(asDeviations([]), []);
});

for (const [defect, path, text] of defects) {
  test(`a defect at ${path} is told: ${text}`, () => {
    const read = asDeviations([entry, defect]);
    assert.ok('departures' in read);
    const [first] = read.departures;
    assert.equal(first?.path, path);
    assert.match(first.text, text);
  });
}

test('an entry has an owner', () => {
  const { owner, ...unowned } = entry;
  const read = asDeviations([unowned]);
  assert.ok('departures' in read, owner);
  assert.match(read.departures[0]?.text ?? '', /'owner'/);
});
