import { Badge } from '@mantine/core'

/** `active` or `disabled`, as the wire spells it. */
export function StatusBadge({ status }: { status: 'active' | 'disabled' }) {
  return (
    <Badge color={status === 'active' ? 'green' : 'gray'} miw={66}>
      {status}
    </Badge>
  )
}
