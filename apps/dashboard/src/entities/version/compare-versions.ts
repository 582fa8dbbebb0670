type Version = Record<string, unknown> | null

export interface ComparedLine {
  text: string
  /** Not on the other side. */
  isDifferent: boolean
}

export interface ComparedField {
  name: string
  /** Empty where the version has no such field. */
  before: ComparedLine[]
  after: ComparedLine[]
  isDifferent: boolean
}

/** Two versions of a record field by field, those that differ first. */
export function compareVersions(before: Version, after: Version): ComparedField[] {
  const names = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])]
  const fields = names.map((name): ComparedField => {
    const old = toLines(before?.[name])
    const now = toLines(after?.[name])
    const isReordered = hasOrder(before?.[name]) && isOnlyReordered(old, now)
    const fieldBefore = mark(old, isReordered ? [] : now)
    const fieldAfter = mark(now, isReordered ? [] : old)
    const isDifferent = [...fieldBefore, ...fieldAfter].some((line) => line.isDifferent)
    return { name, before: fieldBefore, after: fieldAfter, isDifferent }
  })
  return [
    ...fields.filter(({ isDifferent }) => isDifferent),
    ...fields.filter(({ isDifferent }) => !isDifferent),
  ]
}

/** A list of names is the same in any order; a text, an object and a list of objects are not. */
const hasOrder = (value: unknown) =>
  !Array.isArray(value) || value.some((each) => typeof each === 'object' && each !== null)

function isOnlyReordered(old: readonly string[], now: readonly string[]): boolean {
  const isSameText = old.join('\n') === now.join('\n')
  return (
    !isSameText &&
    old.every((line) => now.includes(line)) &&
    now.every((line) => old.includes(line))
  )
}

function mark(lines: readonly string[], others: readonly string[]): ComparedLine[] {
  const known = new Set(others)
  return lines.map((text) => ({ text, isDifferent: !known.has(text) }))
}

/** A list has a line for each of its members, so that what was added to it stands out. */
function toLines(value: unknown): string[] {
  if (value === undefined) return []
  if (value === null) return ['none']
  if (typeof value === 'string') return value === '' ? ['blank'] : value.split('\n')
  if (Array.isArray(value)) return value.length === 0 ? ['none'] : value.flatMap(toLines)
  return JSON.stringify(value, null, 2).split('\n')
}
