import { parsePath, readPath, stringifyExact, type ExactJson } from '@gatehouse/contract/mapping'
import { betweenPaths } from './answer-digest.ts'

const shownCharacters = 1000

/** What an authority says at paths, by comma, as one line of at most 1,000 characters; blank where nothing is. */
export function messagesAt(body: ExactJson | undefined, paths: string): string {
  if (body === undefined || paths === '') return ''
  const values = paths.split(betweenPaths).flatMap((path) => {
    const parsed = parsePath(path.trim(), 'read')
    const found = parsed.ok ? readPath(body, parsed.segments) : parsed
    return found.ok ? found.values.flat() : []
  })
  const texts = values.flatMap((value) => (value === null || value === '' ? [] : [textOf(value)]))
  const line = [...new Set(texts)].join(' · ').replace(/\s+/g, ' ').trim()
  return line.length > shownCharacters ? `${line.slice(0, shownCharacters - 1)}…` : line
}

const textOf = (value: ExactJson) => (typeof value === 'string' ? value : stringifyExact(value))
