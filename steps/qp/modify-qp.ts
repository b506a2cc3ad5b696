import { maskOf, qpAttrBits, type Driver, type Qp, type QpAttr } from '../../drivers/contract';

/** Modifies a QP with a mask by which all members count that are present: ibv_modify_qp(3). */
export function modifyQp(driver: Driver, qp: Qp, attr: QpAttr): Promise<void> {
  return driver.modifyQp(qp, attr, maskOf(qpAttrBits, attr));
}
