import { Stack, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import classes from './form-section.module.css'

interface FormSectionProps {
  title: string
  description?: ReactNode
  children: ReactNode
}

/** Fields of a card that belong together, under a title of their own. */
export function FormSection({ title, description, children }: FormSectionProps) {
  return (
    <section className={classes['section']}>
      <Title order={4} className={classes['title'] ?? ''}>
        {title}
      </Title>
      {description !== undefined && (
        <Text size="sm" c="dimmed" mt={2}>
          {description}
        </Text>
      )}
      <Stack gap="md" mt="sm">
        {children}
      </Stack>
    </section>
  )
}
