import { Paper, Stack, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import classes from './form-card.module.css'

interface FormCardProps {
  title: string
  /** The field that the title names: it then serves as that field's label. */
  labelFor?: string
  description?: ReactNode
  children: ReactNode
}

/** One group of fields in a form. */
export function FormCard({ title, labelFor, description, children }: FormCardProps) {
  return (
    <Paper component="section" className={classes['card'] ?? ''} data-titled>
      <div>
        <Title order={3}>
          {labelFor === undefined ? title : <label htmlFor={labelFor}>{title}</label>}
        </Title>
        {description !== undefined && (
          <Text size="sm" c="dimmed" mt={2}>
            {description}
          </Text>
        )}
      </div>
      <Stack gap="md" className={classes['fields'] ?? ''}>
        {children}
      </Stack>
    </Paper>
  )
}
