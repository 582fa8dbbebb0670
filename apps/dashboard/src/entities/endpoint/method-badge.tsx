import { Badge } from '@mantine/core'

const colors: Record<string, string> = {
  get: 'blue',
  post: 'green',
  put: 'orange',
  patch: 'yellow',
  delete: 'red',
}

export function MethodBadge({ method }: { method: string }) {
  return (
    <Badge color={colors[method] ?? 'gray'} tt="uppercase" fw={600} ff="monospace">
      {method}
    </Badge>
  )
}
