import { Anchor, Group, Paper, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import classes from './panel.module.css'

interface PanelProps {
  /** Unique on the screen; links may lead to it. */
  id: string
  title: string
  subtitle?: ReactNode
  /** Where the whole of it is shown. */
  more?: { label: string; to: string } | undefined
  children: ReactNode
}

/** A part of a screen that shows many things, with a title of its own. */
export function Panel({ id, title, subtitle, more, children }: PanelProps) {
  return (
    <Paper component="section" className={classes['panel'] ?? ''} aria-labelledby={id}>
      <Group justify="space-between" gap="xs" align="baseline">
        <Title order={3} size="h4" id={id} tabIndex={-1}>
          {title}
        </Title>
        {more && (
          <Anchor component={Link} to={more.to} size="sm">
            {more.label}
          </Anchor>
        )}
      </Group>
      {subtitle !== undefined && (
        <Text size="sm" c="dimmed">
          {subtitle}
        </Text>
      )}
      <div className={classes['content']}>{children}</div>
    </Paper>
  )
}
