import { parsePath, readPath, stringifyExact, type ExactJson } from '@gatehouse/contract/mapping'

const shownCharacters = 1000

/** What an authority says at a path, as one line of at most 1,000 characters; blank where nothing is. */
export function messagesAt(body: ExactJson | undefined, path: string): string {
  const parsed = path === '' ? undefined : parsePath(path, 'read')
  if (body === undefined || !parsed?.ok) return ''
  const found = readPath(body, parsed.segments)
  const values = found.ok ? found.values.flat() : []
  const texts = values.flatMap((value) => (value === null || value === '' ? [] : [textOf(value)]))
  const line = [...new Set(texts)].join(' · ').replace(/\s+/g, ' ').trim()
  return line.length > shownCharacters ? `${line.slice(0, shownCharacters - 1)}…` : line
}

const textOf = (value: ExactJson) => (typeof value === 'string' ? value : stringifyExact(value))
