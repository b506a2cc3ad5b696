import { cacheFolder } from '../support/cache';
import { asRoot, checkOf, fileCheck, installCommand, optional, programCheck, type Check } from '../support/checks';
import { HarnessError } from '../contract';
import { namesIn } from '../support/files';
import { moduleCheck, nativeChecks } from '../native/client/checks';
import { lockCheck } from '../native/host/memory-lock';
import { moduleState } from '../native/linux/module-state';
import { kvmRefusal } from '../vm/kvm';
import { needStaticBusybox, ownKernelRemedy } from '../support/programs';
import { looksLikeRelease } from '../vm/kernels/releases';

const inVm = 'use a VM instead: npx verbspec run --driver soft-roce --kernel 6.1';

/** What it takes to make soft-RoCE on this machine's own kernel. */
export function hostChecks(): Check[] {
  const isRoot = process.getuid?.() === 0;
  const modules = ['rdma_rxe', 'dummy'].map((name) => moduleState(name));
  return [
    ...sharedChecks(),
    moduleCheck({ name: 'rdma_rxe', remedy: inVm, isLoadedOnDemand: true }),
    moduleCheck({ name: 'dummy', remedy: inVm, isLoadedOnDemand: true }),
    programCheck('ip', 'iproute2'),
    ...(modules.includes('loadable') ? [programCheck('modprobe', 'kmod')] : []),
    checkOf('rights to make a link', isRoot, isRoot ? 'root' : 'not root', `run verbspec as root, or ${inVm}`),
    lockCheck(),
  ];
}

/** What it takes to make soft-RoCE in a VM. */
export function vmChecks(): Check[] {
  const isX64 = process.arch === 'x64';
  return [
    ...sharedChecks(),
    checkOf('x86-64 processor', isX64, process.arch, 'use a machine that has one'),
    programCheck('qemu-system-x86_64', 'qemu-system-x86'),
    busyboxCheck(),
    kvmCheck(),
    ...kernelChecks(),
  ];
}

function sharedChecks(): Check[] {
  const provider = installCommand('ibverbs-providers');
  return [
    ...nativeChecks(),
    fileCheck('soft-RoCE provider of libibverbs', '/etc/libibverbs.d/rxe.driver', provider),
    programCheck('rdma', 'iproute2'),
  ];
}

function busyboxCheck(): Check {
  const name = 'busybox, linked statically';
  try {
    return checkOf(name, true, needStaticBusybox(), '');
  } catch (error) {
    return checkOf(name, false, error instanceof Error ? (error.message.split(';')[0] ?? '') : '', busyboxRemedy);
  }
}

const busyboxRemedy = installCommand('busybox-static');

/** Without it the VM is slower and, by default, on virtual time; it does the same. */
function kvmCheck(): Check {
  const refusal = kvmRefusal();
  const remedy = refusal?.includes('not for this user')
    ? asRoot('usermod -aG kvm "$USER"') + ', and log in again'
    : 'allow virtualization in the firmware, or nested virtualization where this is a VM itself';
  return optional(checkOf('KVM', refusal === undefined, refusal ?? '/dev/kvm', remedy));
}

/** @returns what is wrong with the folder, where it cannot be trusted */
function kernelCache(): string | Check {
  try {
    return cacheFolder('kernels');
  } catch (error) {
    if (!(error instanceof HarnessError)) throw error;
    const [found = '', remedy = ''] = error.message.split('; ');
    return checkOf('folder of kernels', false, found, remedy);
  }
}

/** Kernels that were fetched serve all later runs; to fetch one takes Debian's tools. */
function kernelChecks(): Check[] {
  const cache = kernelCache();
  if (typeof cache !== 'string') return [cache];
  const kernels = namesIn(cache).filter(looksLikeRelease);
  const fetch = 'npx verbspec run --driver soft-roce --kernel 6.1 fetches one, once';
  const found = kernels.length > 0 ? `${kernels.join(', ')} in ${cache}` : `none in ${cache} yet`;
  const tools = (['apt-get', 'dpkg-deb'] as const).map((name) => {
    const tool = { ...programCheck(name, ''), name: `${name}, which fetches kernels` };
    return tool.status === 'ok' ? tool : { ...tool, remedy: ownKernelRemedy };
  });
  return [
    optional(checkOf('kernels for the VM', kernels.length > 0, found, fetch)),
    ...tools.map((tool) => (kernels.length > 0 ? optional(tool) : tool)),
  ];
}
