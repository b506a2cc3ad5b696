import assert from 'node:assert/strict';
import { it } from 'node:test';
import { comparedText } from './compared-text';

it('members of a CQE are in C, in the order of the header, and none that was compared is left out', () => {
  const compared = {
    IBV_WC_GRH: 'set',
    qp_num: 'QP "client"',
    byte_len: '0x10',
    status: 'IBV_WC_SUCCESS',
    wr_id: '0x0',
  };
  assert.equal(
    comparedText([compared]),
    '[{ .wr_id = 0x0, .status = IBV_WC_SUCCESS, .byte_len = 16, .qp_num = QP "client", IBV_WC_GRH = set }]',
  );
});

it('what is no member of a CQE is as it was recorded', () => {
  assert.equal(comparedText({ returned: -1, errno: 'EINVAL' }), '{returned: -1, errno: EINVAL}');
  assert.equal(comparedText([]), '[]');
  assert.equal(comparedText('no event'), 'no event');
  assert.equal(comparedText(null), 'NULL');
});
