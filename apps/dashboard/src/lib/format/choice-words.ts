type Choice = string | { value: string; label: string }

/** Says what a choice of a list is called; several are on a line each. What the list does not have stays as it is. */
export function choiceWords(choices: readonly Choice[]): (value: unknown) => string {
  const labels = new Map(
    choices.map((each) => (typeof each === 'string' ? [each, each] : [each.value, each.label])),
  )
  const wordsOf = (value: unknown) => labels.get(String(value)) ?? String(value)
  return (value) => (Array.isArray(value) ? value.map(wordsOf).join('\n') : wordsOf(value))
}
