/** What a request shows in the header for API keys. */
interface ShownKey {
  /** The header as its client wrote it, once. Null: it came more than once. */
  readonly value: string | null
  /** The other fields. */
  readonly others: string[]
}

/** Takes the header out of the fields that are passed on. Null: it is not there. */
export function takeKey(passed: readonly string[], header: string): ShownKey | null {
  let count = 0
  let value = ''
  const others: string[] = []
  for (let at = 0; at < passed.length; at += 2) {
    const name = passed[at] ?? ''
    const text = passed[at + 1] ?? ''
    if (name.length === header.length && name.toLowerCase() === header) {
      count++
      value = text
    } else others.push(name, text)
  }
  return count === 0 ? null : { value: count === 1 ? value : null, others }
}

/**
 * The Authorization header that says the same as this key. Null: it is no personal token by its form, or the
 * request shows another credential as well.
 */
export function authorizationOf({ value }: ShownKey, authorization: string | null): string | null {
  if (value === null || !/^ghp_[\w-]{49}$/.test(value)) return null
  const same = `Bearer ${value}`
  return authorization === null || authorization === same ? same : null
}
