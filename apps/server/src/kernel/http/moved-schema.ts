/** Keywords whose values are data. */
const holdsData = new Set(['const', 'enum', 'default', 'example', 'examples'])

/** The same JSON Schema at another place of a document: its references lead to where it is now. */
export function movedSchema(value: unknown, place: string): unknown {
  if (Array.isArray(value)) return value.map((each) => movedSchema(each, place))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => {
      if (key === '$ref' && typeof each === 'string')
        return [key, each.replace(/^#(?=$|\/)/, place)]
      return [key, holdsData.has(key) ? each : movedSchema(each, place)]
    }),
  )
}
