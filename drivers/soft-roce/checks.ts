import { fileCheck, installCommand, programCheck, type Check } from '../checks';
import { nativeChecks } from '../native/checks';
import { hostKernelRefusal } from './host-kernel';
import { ownKernelRemedy } from './programs';

/** What it takes to run on soft-RoCE: this machine's kernel, or a VM. */
export function checks(): Check[] {
  const refusal = hostKernelRefusal();
  const provider = installCommand('ibverbs-providers');
  const shared = [
    ...nativeChecks(),
    fileCheck('soft-RoCE provider of libibverbs', '/etc/libibverbs.d/rxe.driver', provider),
    programCheck('rdma', 'iproute2'),
  ];
  const kernel = { what: "rdma_rxe of this machine's kernel", found: refusal ?? 'can be loaded' };
  if (refusal === undefined) return [...shared, { ...kernel, ok: true, remedy: '' }];
  return [
    ...shared,
    { ...kernel, ok: true, found: `${refusal}; a VM takes its place`, remedy: '' },
    programCheck('qemu-system-x86_64', 'qemu-system-x86'),
    programCheck('busybox', 'busybox-static'),
    { ...programCheck('apt-get', 'apt'), what: 'apt-get, which fetches the kernel', remedy: ownKernelRemedy },
  ];
}
