/** The words of values, as a select offers them. */
export const toChoices = (words: Record<string, string>) =>
  Object.entries(words).map(([value, label]) => ({ value, label }))
