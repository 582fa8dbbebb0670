import { Anchor, Skeleton, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { paths } from '../../entities/paths.ts'
import { runQueries } from '../../entities/run/run-queries.ts'
import { messageOf } from '../../lib/call-error.ts'
import { FormCard } from '../../ui/form-card.tsx'
import { RetryNotice } from '../../ui/notice.tsx'
import { RunRow } from './run-row.tsx'
import classes from './workflow-page.module.css'

const shownMax = 5

/** The latest runs of a workflow, and the way to all of them. */
export function WorkflowRuns({ id }: { id: number }) {
  const query = useQuery(runQueries.list({ page: 1, limit: shownMax, workflow: id }))
  const [page] = query.data ?? []
  return (
    <FormCard title="Runs">
      {query.isPending && <Skeleton height={24} />}
      {query.isError && !page && (
        <RetryNotice
          title="The runs could not be loaded."
          reason={messageOf(query.error)}
          isRetrying={query.isFetching}
          onRetry={() => void query.refetch()}
        />
      )}
      {page?.data.length === 0 && (
        <Text size="sm" c="dimmed">
          This workflow has no runs yet. Start one with “Send by hand”, or call it.
        </Text>
      )}
      {page && page.data.length > 0 && (
        <Stack gap="md">
          <ul className={classes['rows']} aria-label="Latest runs">
            {page.data.map((run) => (
              <RunRow key={run.id} run={run} />
            ))}
          </ul>
          <Anchor component={Link} to={`${paths.runs}?workflow=${id}`} size="sm">
            {linkText(page.total, page.has_more === true)}
          </Anchor>
        </Stack>
      )}
    </FormCard>
  )
}

function linkText(total: number, hasMore: boolean): string {
  if (hasMore) return `More than ${total.toLocaleString('en')} runs: see the history`
  return total === 1 ? 'See it in the history' : `All ${total.toLocaleString('en')} runs`
}
