import type { FiringState } from '@gatehouse/contract'
import { firingStateColors, firingStateWords } from './schedule-words.ts'
import { StatusWord } from '../../../ui/text/status-word.tsx'

export function FiringBadge({ state }: { state: FiringState }) {
  return <StatusWord color={firingStateColors[state]}>{firingStateWords[state]}</StatusWord>
}
