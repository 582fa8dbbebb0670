import { parsePath } from '../../mapping/paths/parse-path.ts'

/**
 * Why a path can't identify the document that a request carries; undefined where it can, or where another
 * check refuses it. A step into a list names one of several documents, and the others would go
 * unguarded.
 */
export function documentPathProblem(path: string): string | undefined {
  const parsed = path === '' ? undefined : parsePath(path, 'read')
  if (!parsed?.ok || parsed.segments.every(({ kind }) => kind === 'name')) return undefined
  return (
    `The path ${path} leads into a list. A request is guarded as one document, so the path must ` +
    'lead to one value for the whole body, without an index or [*].'
  )
}
