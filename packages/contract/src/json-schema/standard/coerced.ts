/** A text as one of these types; undefined where it is none. A single value is a list where a list is asked for. */
export function coerced(value: unknown, types: readonly string[]): { value: unknown } | undefined {
  if (typeof value === 'string') {
    for (const type of types) {
      const read = readAs(value, type)
      if (read !== undefined) return read
    }
  }
  return types.includes('array') ? { value: [value] } : undefined
}

function readAs(text: string, type: string): { value: unknown } | undefined {
  switch (type) {
    case 'number':
    case 'integer': {
      const number = text.trim() === '' ? NaN : Number(text)
      const isRead = type === 'integer' ? Number.isInteger(number) : Number.isFinite(number)
      return isRead ? { value: number } : undefined
    }
    case 'boolean':
      if (text === 'true' || text === 'false') return { value: text === 'true' }
      return undefined
    case 'null':
      return text === '' ? { value: null } : undefined
  }
  return undefined
}
