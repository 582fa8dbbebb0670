import { Badge } from '@mantine/core'
import type { FiringState } from '@gatehouse/contract'
import { firingStateColors, firingStateWords } from './schedule-words.ts'

export function FiringBadge({ state }: { state: FiringState }) {
  return (
    <Badge component="span" color={firingStateColors[state]} variant="light" miw="max-content">
      {firingStateWords[state]}
    </Badge>
  )
}
