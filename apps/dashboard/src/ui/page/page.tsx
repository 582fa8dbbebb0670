import { Group, Stack, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import { AfterFirstPaint } from '../../lib/page/first-paint.ts'
import { pageTitleId } from '../../lib/page/page-focus.ts'

interface PageProps {
  title: string
  /** A second line under the title. */
  subtitle?: ReactNode
  /** Buttons and links that belong to the whole screen. */
  actions?: ReactNode
  /** A text is easier to read in a narrow column. */
  isNarrow?: boolean
  children: ReactNode
}

/**
 * Frame of every screen. The title takes the focus when the screen opens. When the page is loaded, the title is
 * painted before the rest.
 */
export function Page({ title, subtitle, actions, isNarrow = false, children }: PageProps) {
  return (
    <Stack gap="md" maw={isNarrow ? 760 : 1760}>
      <Group justify="space-between" gap="sm">
        <div style={{ minWidth: 0 }}>
          <Title order={2} id={pageTitleId} tabIndex={-1}>
            {title}
          </Title>
          {subtitle !== undefined && (
            <Text size="sm" c="dimmed" mt={2}>
              {subtitle}
            </Text>
          )}
        </div>
        {actions}
      </Group>
      <AfterFirstPaint>{children}</AfterFirstPaint>
    </Stack>
  )
}
