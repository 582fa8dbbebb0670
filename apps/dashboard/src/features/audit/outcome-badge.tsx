import { Badge } from '@mantine/core'
import type { AuditEvent } from '@gatehouse/contract'

export function OutcomeBadge({ outcome }: { outcome: AuditEvent['outcome'] }) {
  return <Badge color={outcome === 'done' ? 'green' : 'red'}>{outcome}</Badge>
}
