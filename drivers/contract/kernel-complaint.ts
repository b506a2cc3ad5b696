/** What a kernel says when it has found a fault of its own. */
export interface KernelComplaint {
  /** The line that says what is wrong, without its time. */
  readonly line: string;
  /** That line and those that explain it. */
  readonly report: readonly string[];
}

/** How the messages of a kernel begin that complain. What a program or a device has said has its name in front. */
const complaints: readonly RegExp[] = [
  /^WARNING: /, // WARN_ON, and each fault of locking that lockdep finds
  /^BUG[: ]/, // bad pages, atomic sleeps, slabs, KASAN, KFENCE, KCSAN
  /^kernel BUG at /,
  /^(Internal error: )?Oops\b/,
  /^(general protection|double|stack segment|divide) (fault|error)\b/,
  /^Unable to handle kernel /,
  /^INFO: task .* blocked /,
  /^(rcu: )?INFO: rcu\w* .*\bstall/,
  /^rcu: \w+ kthread starved /,
  /^(NMI )?watchdog: (BUG: soft lockup|Watchdog detected hard LOCKUP)/,
  /^(\[ )?INFO: (possible|suspicious|inconsistent|trying to register non-static key)/, // lockdep of older kernels
  /^UBSAN: /,
  /^kmemleak: \d+ new suspected memory leaks/,
  /^refcount_t: /,
  /^list_(add|del)\w* corruption/,
  /^ODEBUG: /,
  /^unregister_netdevice: waiting for /,
  /^Kernel panic /,
];

/** The time in front of a message, and the thread or processor that it came from. */
const stamp = /^(<\d+>)?\[ *\d+\.\d+\](\[ *[TC]\d+\])? /;

const endOfReport = /^---\[ end (trace|Kernel panic)/;

/** Lines that a report may have which does not say where it ends. */
export const reportLinesMax = 150;

/** Whether a kernel complains in this line of its log. */
export function beginsComplaint(line: string): boolean {
  return isComplaint(messageOf(line));
}

/** Whether the report of a complaint ends with this line of a log. */
export function endsReport(line: string): boolean {
  return endOfReport.test(messageOf(line));
}

function isComplaint(message: string): boolean {
  return complaints.some((complaint) => complaint.test(message));
}

function messageOf(line: string): string {
  return line.replace(stamp, '').trimEnd();
}

/** All complaints of a kernel's log, in order. */
export function complaintsIn(log: string): KernelComplaint[] {
  const messages = log.split('\n').map(messageOf);
  const found: KernelComplaint[] = [];
  for (let at = 0; at < messages.length; at++) {
    const line = messages[at] ?? '';
    if (!isComplaint(line)) continue;
    const following = messages.slice(at, at + reportLinesMax);
    const end = following.findIndex((message) => endOfReport.test(message));
    const report = end < 0 ? following : following.slice(0, end + 1);
    found.push({ line, report });
    if (end >= 0) at += end;
  }
  return found;
}

/**
 * The complaints of a kernel's log that concern RDMA, or all of them where nobody else uses the kernel.
 *
 * @param modules - kernel modules of the device; given where others use the kernel too. What they do to it says nothing
 */
export function complaintsOf(log: string, modules?: readonly string[]): KernelComplaint[] {
  const found = complaintsIn(log);
  return modules === undefined ? found : found.filter((complaint) => concerns(complaint, modules));
}

/** The line of the first of these complaints. */
export function complaintOf(log: string, modules?: readonly string[]): string | undefined {
  return complaintsOf(log, modules)[0]?.line;
}

/** Modules of the RDMA subsystem and its drivers that are called neither `ib_…`, `rdma_…` nor `…_ib`. */
const otherModules =
  'siw|iw_c\\w+|irdma|i40iw|bnxt_re|bng_re|efa|erdma|hfi1|hns_roce\\w*|ocrdma|qedr|usnic_verbs|vmw_pvrdma|xe_rdma';

/**
 * A trace names the module of a function in brackets. The list `Modules linked in:` has none, and says nothing: what is
 * loaded need not have had a part in it.
 */
function concerns({ report }: KernelComplaint, modules: readonly string[]): boolean {
  const names = [...modules, 'ib_\\w+', 'rdma_\\w+', '\\w+_ib', '\\w+_rdma', otherModules].join('|');
  const inModule = new RegExp(`\\[(${names})( [0-9a-f]+)?\\]`);
  const builtIn = /\bdrivers\/infiniband\/|\b(ib|rdma|uverbs|rxe|siw)_\w+\+0x|\bib_uverbs\b/;
  return report.some((line) => !line.startsWith('Modules linked in:') && (inModule.test(line) || builtIn.test(line)));
}
