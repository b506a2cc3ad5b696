/** How what a command has drafted begins, for somebody to replace; `verbspec rules --check` finds it. */
export const draftMark = 'TODO';

/** Whether a text is a draft. */
export function isDraft(text: string): boolean {
  return text.split(/\W+/).includes(draftMark);
}
