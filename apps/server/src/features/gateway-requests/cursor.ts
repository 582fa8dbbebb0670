import { fieldError } from '../../kernel/app-error.ts'
import { workerOf, type LogPlace } from './reading/access-files.ts'

/** Places as text that a client sends back. */
export const toCursor = (places: readonly LogPlace[]) =>
  Buffer.from(JSON.stringify(places.map(({ file, offset }) => [file, offset]))).toString(
    'base64url',
  )

/** Places of a text that `toCursor` has made. Throws a 422 for any other. */
export function readCursor(field: 'older' | 'since', text: string | undefined) {
  if (text === undefined) return undefined
  const places = parse(text)
  if (places === undefined) throw fieldError({ [field]: ['This is no place in the log.'] })
  return places
}

function parse(text: string): LogPlace[] | undefined {
  try {
    const value: unknown = JSON.parse(Buffer.from(text, 'base64url').toString('utf8'))
    if (!Array.isArray(value)) return undefined
    const places = value.flatMap((each: unknown) => toPlace(each))
    return places.length === value.length ? places : undefined
  } catch {
    return undefined
  }
}

function toPlace(value: unknown): LogPlace[] {
  const [file, offset, ...rest]: unknown[] = Array.isArray(value) ? value : []
  if (typeof file !== 'string' || workerOf(file) === undefined || rest.length > 0) return []
  if (typeof offset !== 'number' || !Number.isSafeInteger(offset) || offset < 0) return []
  return [{ file, offset }]
}
