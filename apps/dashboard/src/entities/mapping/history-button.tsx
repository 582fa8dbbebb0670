import { ActionIcon } from '@mantine/core'
import type { ComponentType } from 'react'
import classes from './mapping-editor.module.css'

interface HistoryButtonProps {
  label: string
  keys: string
  Icon: ComponentType<{ size: number }>
  /** Absent while there is nothing to go to. */
  onClick: (() => void) | undefined
}

export function HistoryButton({ label, keys, Icon, onClick }: HistoryButtonProps) {
  return (
    <ActionIcon
      variant="transparent"
      color="gray"
      className={classes['history'] ?? ''}
      aria-label={label}
      title={`${label} (${keys})`}
      disabled={!onClick}
      onClick={onClick}
    >
      <Icon size={16} />
    </ActionIcon>
  )
}
