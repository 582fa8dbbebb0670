import { Group, Text } from '@mantine/core'
import { useId, type ReactNode } from 'react'
import classes from './transform-part.module.css'

interface TransformPartProps {
  /** Path of the form's field, by which its label is found. */
  field: string
  label: string
  hint: string
  /** Beside the label. */
  action?: ReactNode
  children: ReactNode
}

/** One of the four things that a transformation consists of, under its name. */
export function TransformPart({ field, label, hint, action, children }: TransformPartProps) {
  const hintId = useId()
  return (
    <fieldset
      aria-label={label}
      aria-describedby={hintId}
      data-path={field}
      className={classes['part']}
    >
      <Group justify="space-between" gap="xs">
        <Text component="h4" fw={600} size="sm">
          {label}
        </Text>
        {action}
      </Group>
      <Text id={hintId} size="xs" c="dimmed" mb="xs">
        {hint}
      </Text>
      {children}
    </fieldset>
  )
}
