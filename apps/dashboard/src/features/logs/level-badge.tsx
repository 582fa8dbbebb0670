import { Badge } from '@mantine/core'
import { IconAlertTriangle, IconInfoCircle } from '@tabler/icons-react'
import type { LogEntry } from '@gatehouse/contract'

const colors = { info: 'blue', warning: 'orange', danger: 'red', '': 'gray' } as const
const icons = {
  'info-circle': IconInfoCircle,
  'exclamation-triangle': IconAlertTriangle,
  '': undefined,
} as const

/** Level with the icon and the colour that the server gives it. */
export function LevelBadge({ entry }: { entry: LogEntry }) {
  if (entry.level === '') return null
  const LevelIcon = icons[entry.level_img]
  return (
    <Badge
      color={colors[entry.level_class]}
      leftSection={LevelIcon && <LevelIcon size={14} stroke={2} aria-hidden />}
    >
      {entry.level}
    </Badge>
  )
}
