import { Badge } from '@mantine/core'

const colors = { get: 'blue', post: 'green', put: 'orange' } as const

export function MethodBadge({ method }: { method: keyof typeof colors }) {
  return (
    <Badge color={colors[method]} tt="uppercase" fw={600} ff="monospace">
      {method}
    </Badge>
  )
}
