import { Badge, Tooltip } from '@mantine/core'
import type { DriftKind } from '@gatehouse/contract'

const words = {
  breaking: {
    color: 'red',
    text: 'changed',
    hint: 'The procedure is no longer what callers rely on.',
  },
  additive: { color: 'yellow', text: 'extended', hint: 'The procedure offers more than before.' },
} as const

/** Says that a stored procedure has changed since its definition was saved. */
export function DriftBadge({ kind }: { kind: DriftKind }) {
  const { color, text, hint } = words[kind]
  return (
    <Tooltip label={hint}>
      <Badge color={color}>{text}</Badge>
    </Tooltip>
  )
}
