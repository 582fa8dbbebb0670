import { IconAlertTriangle, IconInfoCircle } from '@tabler/icons-react'
import type { LogEntry } from '@gatehouse/contract'
import classes from './log-table.module.css'

const icons = {
  'info-circle': IconInfoCircle,
  'exclamation-triangle': IconAlertTriangle,
  '': undefined,
} as const

/** The level in words, with the icon and the colour that the server gives it. */
export function LevelMark({ entry }: { entry: LogEntry }) {
  if (entry.level === '') return null
  const LevelIcon = icons[entry.level_img]
  return (
    <span className={classes['levelMark']} data-level={entry.level_class}>
      {LevelIcon && <LevelIcon size={14} stroke={2} aria-hidden />}
      {entry.level}
    </span>
  )
}
