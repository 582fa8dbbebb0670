import type { NamedValue } from '@gatehouse/contract'
import { z } from 'zod'

/** The column of a list of headers: JSON, null for none. Absent keeps what is stored. */
export function writeHeaders(
  given: readonly NamedValue[] | null | undefined,
  stored: string | null | undefined,
): string | null {
  if (given === undefined) return stored ?? null
  return given === null || given.length === 0 ? null : JSON.stringify(given)
}

/** Reads what `writeHeaders` wrote; undefined where it is something else. */
export function readHeaders(stored: string | null): NamedValue[] | undefined {
  if (stored === null) return []
  try {
    return z.array(namedValue).parse(JSON.parse(stored))
  } catch {
    return undefined
  }
}

const namedValue = z.object({ name: z.string(), value: z.string() })
