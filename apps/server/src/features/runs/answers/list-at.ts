import { parsePath, readPath, type ExactJson } from '@gatehouse/contract/mapping'

/** The list at a path: its elements, or what a path with [*] finds. Undefined where there is none. */
export function listAt(body: ExactJson | undefined, path: string): ExactJson[] | undefined {
  const parsed = path === '' ? undefined : parsePath(path, 'read')
  if (body === undefined || !parsed?.ok) return undefined
  const found = readPath(body, parsed.segments)
  if (!found.ok) return undefined
  if (parsed.segments.some(({ kind }) => kind === 'all')) return found.values
  const [list] = found.values
  return Array.isArray(list) ? list : undefined
}
