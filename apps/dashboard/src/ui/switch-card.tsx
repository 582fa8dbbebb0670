import { Paper, Stack, Switch, type SwitchProps } from '@mantine/core'
import type { ReactNode } from 'react'
import classes from './form-card.module.css'

interface SwitchCardProps extends Omit<SwitchProps, 'children' | 'label'> {
  label: string
  isOn: boolean
  /** Fields that only count while it is on. */
  children: ReactNode
}

/** A group of fields that is switched on and off as a whole; the switch is its heading. */
export function SwitchCard({ isOn, children, ...rest }: SwitchCardProps) {
  return (
    <Paper component="section" className={classes['card'] ?? ''}>
      <Switch {...rest} checked={isOn} classNames={{ label: classes['switch'] ?? '' }} />
      {isOn && (
        <Stack gap="md" mt="md">
          {children}
        </Stack>
      )}
    </Paper>
  )
}
