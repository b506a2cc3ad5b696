const families = new Map([
  ['ah', 'Address handles'],
  ['async', 'Asynchronous events'],
  ['channel', 'Completion channels'],
  ['cq', 'Completion queues'],
  ['device', 'Devices and contexts'],
  ['enum', 'Texts of enumerations'],
  ['mr', 'Memory regions'],
  ['mw', 'Memory windows'],
  ['pd', 'Protection domains'],
  ['qp', 'Queue pairs'],
  ['srq', 'Shared receive queues'],
]);

/** The family of verbs that a feature belongs to, from its folder: `features/cq/…` are the completion queues. */
export function apiFamily(uri: string): string {
  const folder = uri.split('/').at(-2) ?? '';
  return families.get(folder) ?? (folder === '' ? 'Verbs' : folder);
}
