/**
 * What is stored and may not be readable: sealed with another key, or changed by hand. Undefined where reading
 * throws: such a thing is as good as not there.
 */
export function readable<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch {
    return undefined
  }
}
