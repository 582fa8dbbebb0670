import type { CallOutput, Routes } from '@gatehouse/contract'
import { ageWords } from '../../lib/format/age-words.ts'

type Unknown = CallOutput<Routes['GET /api/runs/unknown']>

/** `2 unknown outcomes, the oldest for 3 hours`. */
export function unknownWords({ count, oldest }: Unknown): string {
  const outcomes = count === 1 ? '1 unknown outcome' : `${count} unknown outcomes`
  if (!oldest) return outcomes
  const age = ageWords(oldest.since)
  return count === 1 ? `${outcomes}, for ${age}` : `${outcomes}, the oldest for ${age}`
}
