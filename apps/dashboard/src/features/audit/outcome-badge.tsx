import type { AuditEvent } from '@gatehouse/contract'
import { StatusWord } from '../../ui/status-word.tsx'

/** Repeats of a refusal share one event, which counts them. */
export function OutcomeBadge({ event: { outcome, times } }: { event: AuditEvent }) {
  return (
    <StatusWord color={outcome === 'done' ? 'green' : 'red'}>
      {times === 1 ? outcome : `${outcome} ${times} times`}
    </StatusWord>
  )
}
