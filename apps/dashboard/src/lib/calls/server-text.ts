import { fillIn } from '../format/fill-in.ts'

/**
 * What the server says, in the language of the page where the text is known; otherwise as it is. The
 * texts of the server are part of the contract, and so are English on the way. What is filled in, such as a
 * field or a reason, is translated too where it is known.
 */
export function serverText(text: string): string {
  const known = globalThis.gatehouseServerTexts ?? {}
  if (Object.hasOwn(known, text)) return known[text] ?? text
  for (const [pattern, translation] of Object.entries(known)) {
    if (!pattern.includes('{0}')) continue
    const [, ...values] = asExpression(pattern).exec(text) ?? []
    if (values.length === 0) continue
    return fillIn(translation, 'ar', values.map(serverText), isolated).join('')
  }
  return text
}

/** A name in Latin letters keeps its direction. */
const isolated = (value: string) => `\u2068${value}\u2069`

const expressions = new Map<string, RegExp>()

function asExpression(pattern: string): RegExp {
  let expression = expressions.get(pattern)
  if (!expression) {
    const pieces = pattern
      .split(/\{\d\}/)
      .map((piece) => piece.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`))
    expressions.set(pattern, (expression = new RegExp(`^${pieces.join('(.+)')}$`, 's')))
  }
  return expression
}

declare global {
  /** Translations of what the server says, with `{0}`, `{1}` in their order for what differs; none for English. */
  var gatehouseServerTexts: Record<string, string> | undefined
}
