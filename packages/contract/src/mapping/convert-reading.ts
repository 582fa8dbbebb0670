import { convertValue } from './convert-value.ts'
import type { BaseType, ParseInner } from './convert-value.ts'
import type { ReadResult, Reading } from './paths/read-path.ts'
import { counted } from './show-value.ts'

/**
 * Converts every value of a reading; a failure names the first one, by `nameAt` its place in the lists,
 * and how many more there are.
 */
export function convertReading(
  reading: Reading,
  nameAt: (at: readonly number[]) => string,
  type: BaseType,
  parse: ParseInner,
): ReadResult {
  let failures = 0
  let first = ''
  const convert = (node: Reading, at: readonly number[]): Reading => {
    if (node.kind === 'list') {
      const { items, indexes } = node
      const converted = items.map((item, index) =>
        convert(item, [...at, indexes?.[index] ?? index]),
      )
      return { ...node, items: converted }
    }
    if (node.kind === 'gap') return node
    const converted = convertValue(node.value, type, parse)
    if (converted.ok) return { kind: 'value', value: converted.value }
    failures++
    first ||= `${nameAt(at)}: ${converted.message}`
    return node
  }
  const converted = convert(reading, [])
  if (failures === 0) return { ok: true, reading: converted }
  const others =
    failures === 1 ? '' : ` The same goes for ${counted(failures - 1, 'more value')} of this row.`
  return { ok: false, message: first + others }
}
