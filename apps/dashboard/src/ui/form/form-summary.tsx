import { Group, Paper, Stack, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import { Facts } from '../text/facts.tsx'

interface FormSummaryProps {
  facts: readonly (readonly [string, ReactNode])[]
  /** What else can be done with it. */
  children?: ReactNode
}

/** Beside a form: what the thing is, as the fields say now. */
export function FormSummary({ facts, children }: FormSummaryProps) {
  return (
    <Paper component="section" withBorder p="md" aria-label="At a glance">
      <Stack gap="sm">
        <Title order={3} fz="sm">
          At a glance
        </Title>
        <Facts facts={facts} />
        <Group gap="xs">{children}</Group>
      </Stack>
    </Paper>
  )
}
