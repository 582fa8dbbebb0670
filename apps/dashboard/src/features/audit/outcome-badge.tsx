import { Badge } from '@mantine/core'
import type { AuditEvent } from '@gatehouse/contract'

/** Repeats of a refusal share one event, which counts them. */
export function OutcomeBadge({ event: { outcome, times } }: { event: AuditEvent }) {
  return (
    <Badge color={outcome === 'done' ? 'green' : 'red'} tt="none">
      {times === 1 ? outcome : `${outcome} ${times} times`}
    </Badge>
  )
}
