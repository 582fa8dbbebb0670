import { isLosslessNumber } from '@gatehouse/contract/mapping'
import type { ExactJson } from '@gatehouse/contract/mapping'
import type { WireValue } from './wire-types.ts'

/** `problem`: why a value does not fit, in words for the caller. */
export type Bound = { ok: true; wire: WireValue } | { ok: false; problem: string }

export const refused = (problem: string): Bound => ({ ok: false, problem })

/** Paths and queries hold texts only, bodies numbers and booleans too; lists and objects are no text. */
export function plainText(value: ExactJson): string | null | undefined {
  if (value === null || typeof value === 'string') return value
  if (typeof value === 'boolean') return String(value)
  return isLosslessNumber(value) ? value.value : undefined
}
