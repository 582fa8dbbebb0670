import { bracesHint } from '../mapping/braces.ts'
import { parsePath } from '../mapping/paths/parse-path.ts'

/** A word like `steps`, the number of a step, and a path with or without `body` before it. */
const misspelt = /^\W*([a-z]{3,7})\W*(\d{1,2})\W*(?:(?:body|answer|response|result|json)\b)?(.*)$/is
const typosMax = 2
const nearInput = /^\$?(?:inputs?|imput|inptu)\b/i

/** Where a body is: its step, and whether its run has an input. */
export interface Place {
  position: number
  hasInput: boolean
}

/**
 * The message for `{{…}}` in a body that is no placeholder, with the one that was probably meant.
 */
export function strayMessage(text: string, { position, hasInput }: Place): string {
  if (position === 1 && !hasInput)
    return `${text} is no placeholder: step 1 has no earlier answer to take values from. ${bracesHint}`
  const meant = suggestion(text, { position, hasInput })
  const written = [
    ...(hasInput ? ['{{input.path}}'] : []),
    ...(position > 1 ? ['{{steps.1.body.path}} with the number of an earlier step'] : []),
  ]
  const advice = meant === undefined ? `Write ${written.join(' or ')}.` : `Did you mean ${meant}?`
  return `${text} is no placeholder. ${advice} ${bracesHint}`
}

/** The placeholder that was probably meant; undefined where nothing is close. */
export function suggestion(text: string, { position, hasInput }: Place): string | undefined {
  const inner = text.replace(/^\{\{|\}{1,2}$/g, '').trim()
  const [, word = '', number = '', rest = ''] = misspelt.exec(inner) ?? []
  const isStep = word !== '' && distance(word.toLowerCase(), 'steps') <= typosMax
  const isInput = hasInput && !isStep
  const step = isStep ? Number(number) : 1
  const path = isStep ? rest.trim() : isInput ? inner.replace(nearInput, '') : inner
  if (!isInput && (step < 1 || step >= position)) return undefined
  const dotted = path === '' || path.startsWith('.') || path.startsWith('[') ? path : `.${path}`
  if (!parsePath(`$${dotted}`, 'read').ok) return undefined
  const meant = isInput ? `{{input${dotted}}}` : `{{steps.${step}.body${dotted}}}`
  return meant === text ? undefined : meant
}

/** How many letters are added, removed or changed to turn one word into the other. */
export function distance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, at) => at)
  for (const [index, letter] of [...from].entries()) {
    const next = [index + 1]
    for (let at = 1; at <= to.length; at++) {
      const changed = (row[at - 1] ?? 0) + (letter === to[at - 1] ? 0 : 1)
      next.push(Math.min(changed, (row[at] ?? 0) + 1, (next[at - 1] ?? 0) + 1))
    }
    row = next
  }
  return row[to.length] ?? 0
}
