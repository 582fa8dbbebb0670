import type { CompiledOutput } from '@gatehouse/contract/custom-output'
import type { ExactObject } from '@gatehouse/contract/mapping'
import { renderOutput } from '../output/render-output.ts'

/** A longer text is cut off by no one: it is refused. */
const textMax = 8_192

/** The text of a rule, each value of the call as `encode` writes it; undefined where it becomes too long. */
export function renderedText(
  value: CompiledOutput,
  scope: ExactObject,
  encode: (text: string) => string = (text) => text,
): string | undefined {
  if (value.kind === 'broken') return undefined
  if (value.kind === 'fixed') return value.body
  let text = ''
  for (const part of value.parts) {
    if (part.kind === 'literal') text += part.text
    else {
      const rendered = renderOutput({ ...value, parts: [{ ...part, at: 0 }] }, scope)
      if (!rendered.ok || rendered.text.length > textMax) return undefined
      text += encode(rendered.text)
    }
  }
  return text.length > textMax ? undefined : text
}
