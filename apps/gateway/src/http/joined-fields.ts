/** Name, value, name, value as a record by lower-case name; repeated fields are joined. */
export function joinedFields(pairs: readonly string[]): Record<string, string> {
  const fields: Record<string, string> = Object.create(null)
  for (let at = 0; at + 1 < pairs.length; at += 2) {
    const name = (pairs[at] ?? '').toLowerCase()
    const value = pairs[at + 1] ?? ''
    fields[name] = fields[name] === undefined ? value : `${fields[name]}, ${value}`
  }
  return fields
}
