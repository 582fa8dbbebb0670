import { Group, Text } from '@mantine/core'
import type { RunListItem } from '@gatehouse/contract'
import { RunBadge, TestBadge } from '../../entities/run/run-badges.tsx'
import { RunLink } from '../../entities/run/run-link.tsx'
import { serverWords } from '../../lib/calls/server-words.tsx'
import { Moment } from '../../ui/text/moment.tsx'
import classes from './workflow-page.module.css'

interface RunRowProps {
  run: Pick<RunListItem, 'id' | 'reference' | 'state' | 'is_dry_run' | 'is_test' | 'created_at'>
  /** What it waits for, or why it failed. */
  message?: string | null
}

/** A run in a list of a workflow's page. */
export function RunRow({ run, message = null }: RunRowProps) {
  return (
    <li className={classes['row']}>
      <div className={classes['what']}>
        <Text size="sm" fw={600}>
          <RunLink id={run.id} />
          {run.reference !== null && (
            <>
              {' · '}
              <bdi>{run.reference}</bdi>
            </>
          )}
        </Text>
        {message !== null && (
          <Text size="xs" c="dimmed">
            {serverWords(message)}
          </Text>
        )}
      </div>
      <Group gap="xs">
        <RunBadge state={run.state} isDryRun={run.is_dry_run} />
        {run.is_test && <TestBadge />}
      </Group>
      <Text size="xs" c="dimmed">
        <Moment at={run.created_at} isRelative />
      </Text>
    </li>
  )
}
