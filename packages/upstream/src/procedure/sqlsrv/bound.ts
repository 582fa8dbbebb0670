import { isLosslessNumber } from '@gatehouse/contract/mapping'
import type { ExactJson } from '@gatehouse/contract/mapping'
import type { WireValue } from './values/wire-types.ts'

/** `problem`: a message for the caller that says why a value does not fit. */
export type Bound = { ok: true; wire: WireValue } | { ok: false; problem: string }

export const refused = (problem: string): Bound => ({ ok: false, problem })

/** The text of a string, a number or a boolean. Lists and objects have none. */
export function plainText(value: ExactJson): string | null | undefined {
  if (value === null || typeof value === 'string') return value
  if (typeof value === 'boolean') return String(value)
  return isLosslessNumber(value) ? value.value : undefined
}
