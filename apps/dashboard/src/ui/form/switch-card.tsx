import { Paper, Stack, Switch, Text, type SwitchProps } from '@mantine/core'
import { useId, type ReactNode } from 'react'
import { useAllShown } from '../table/all-shown.ts'
import classes from './form-card.module.css'

interface SwitchCardProps extends Omit<SwitchProps, 'children' | 'label' | 'description'> {
  label: string
  description: string
  isOn: boolean
  /** Inside a card: without a frame of its own. */
  isInCard?: boolean
  /** Fields that only apply while it is on. */
  children: ReactNode
}

/** A group of fields that is switched on and off as a whole; the switch is its heading. */
export function SwitchCard({ description, isOn, isInCard, children, ...rest }: SwitchCardProps) {
  const descriptionId = useId()
  const isAllShown = useAllShown()
  return (
    <Paper component="section" className={classes[isInCard ? 'bare' : 'card'] ?? ''}>
      <Switch
        {...rest}
        checked={isOn}
        aria-describedby={descriptionId}
        classNames={{ label: classes['switch'] ?? '' }}
      />
      {/* The library's own description would become part of the switch's name. */}
      <Text id={descriptionId} size="sm" c="dimmed" mt={4} className={classes['hint'] ?? ''}>
        {description}
      </Text>
      {(isOn || isAllShown) && (
        <Stack gap="md" mt="md" {...(isOn ? {} : { display: 'none' })}>
          {children}
        </Stack>
      )}
    </Paper>
  )
}
