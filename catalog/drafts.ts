/** The beginning of drafted text, which an author replaces; `verbspec rules --check` finds what is left. */
export const draftMark = 'TODO';

/** Whether a text is a draft. */
export function isDraft(text: string): boolean {
  return text.split(/\W+/).includes(draftMark);
}
