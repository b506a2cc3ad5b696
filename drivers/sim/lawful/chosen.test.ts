import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { capabilities, HarnessError, UsageError, type DriverOptions } from '../../contract';
import { soundParts } from '../device/device';
import { chosen } from './chosen';
import { variantLists } from './index';
import { profiles } from './profiles';

const lines: string[] = [];
const options = (asked: Partial<DriverOptions>): DriverOptions => ({
  progress: (line) => lines.push(line),
  ...asked,
});

describe('the variants', () => {
  it('have names that are used once', () => {
    const names = variantLists.flatMap((list) => Object.keys(list));
    assert.equal(new Set(names).size, names.length);
    assert.ok(names.length >= 45);
  });
});

describe('the simulator that a user asks for', () => {
  it('is the sound one unless something is asked', async () => {
    assert.equal(await chosen(soundParts, options({})), undefined);
  });

  it('lacks what its variants take away', async () => {
    const found = await chosen(soundParts, options({ variant: 'without-srq,without-uc' }));
    const lacks = ['srq', 'uc', 'ud'].filter((one) => !found?.dut.capabilities.includes(one as 'srq'));
    assert.deepEqual(lacks, ['srq', 'uc']);
    assert.equal(found?.dut.provider, 'sim');
    assert.deepEqual(found.dut.profile, { name: 'without-srq,without-uc', basis: 'as the pages leave it free' });
  });

  for (const [name, { provider, statement }] of Object.entries(profiles)) {
    it(`is like ${name}, and says on what that rests`, async () => {
      const found = await chosen(soundParts, options({ profile: name }));
      assert.equal(found?.dut.provider, provider);
      assert.equal(found.dut.rdmaCore, '65.0');
      assert.deepEqual(found.dut.profile, { name, basis: statement });
      assert.ok(lines.includes(`behaves like ${name}: ${statement}`));
    });
  }

  it('takes the P_Key of a full member', async () => {
    const found = await chosen(soundParts, options({ variant: 'limited-pkey-first' }));
    assert.equal(found?.dut.port.pkeyIndex, 1);
    assert.deepEqual(found.dut.capabilities, capabilities);
  });

  it('has no use where its port is a limited member alone', async () => {
    const limited = {
      ...soundParts,
      Device: class extends soundParts.Device {
        override readonly pkeys: readonly number[] = [0x7fff];
      },
    };
    const refused = /^port 1 of sim0 is a limited member alone: 0x7fff at index 0; .*subnet manager/;
    await assert.rejects(
      chosen(limited, options({ variant: 'one-comp-vector' })),
      (error: unknown) =>
        error instanceof HarnessError && !(error instanceof UsageError) && refused.test(error.message),
    );
  });

  it('has to be known', async () => {
    const refusals: readonly (readonly [Partial<DriverOptions>, RegExp])[] = [
      [{ profile: 'conectx' }, /^unknown profile "conectx"; did you mean connectx\?$/],
      [{ profile: 'nothing' }, /^unknown profile "nothing"; `verbspec run --help` lists them$/],
      [{ variant: 'without-srq,without-ux' }, /^unknown variant "without-ux"; did you mean without-u[cd]\?$/],
      [{ variant: '' }, /^unknown variant ""; `verbspec prove --lawful` lists them$/],
    ];
    for (const [asked, message] of refusals)
      await assert.rejects(
        chosen(soundParts, options(asked)),
        (error: unknown) => error instanceof UsageError && message.test(error.message),
      );
  });
});
