/** Reads what a page kept in the browser. An older version, or the user, may have written it. */
export function readObject(text: string | null): Record<string, unknown> {
  try {
    return toObject(JSON.parse(text ?? '{}'))
  } catch {
    return {}
  }
}

export function toObject(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? { ...value } : {}
}

export function textOr<T>(value: unknown, fallback: T): string | T {
  return typeof value === 'string' ? value : fallback
}
