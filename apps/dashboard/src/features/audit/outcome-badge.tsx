import type { AuditEvent } from '@gatehouse/contract'
import { StatusWord } from '../../ui/text/status-word.tsx'
import { outcomeWords } from './audit-words.ts'

/** Repeats of a refusal share one event, which counts them. */
export function OutcomeBadge({ event: { outcome, times } }: { event: AuditEvent }) {
  return (
    <StatusWord color={outcome === 'done' ? 'green' : 'red'}>
      {times === 1 ? outcomeWords[outcome] : `${outcomeWords[outcome]} ${times} times`}
    </StatusWord>
  )
}
