import { Anchor, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { paths } from '../../entities/paths.ts'
import { runQueries } from '../../entities/run/run-queries.ts'
import { FormCard } from '../../ui/form/form-card.tsx'
import { QueryLoader } from '../../ui/page/query-loader.tsx'
import { RunRow } from './run-row.tsx'
import classes from './workflow-page.module.css'

const shownMax = 5

/** The latest runs of a workflow, and the way to all of them. */
export function WorkflowRuns({ id }: { id: number }) {
  const query = useQuery(runQueries.list({ page: 1, limit: shownMax, workflow: id }))
  return (
    <FormCard title="Runs">
      <QueryLoader query={query} failureText="The runs could not be loaded." isInCard>
        {([{ data, total, has_more }]) =>
          data.length === 0 ? (
            <Text size="sm" c="dimmed">
              This workflow has no runs yet. Start one with “Send by hand”, or call it.
            </Text>
          ) : (
            <Stack gap="md">
              <ul className={classes['rows']} aria-label="Latest runs">
                {data.map((run) => (
                  <RunRow key={run.id} run={run} />
                ))}
              </ul>
              <Anchor component={Link} to={`${paths.runs}?workflow=${id}`} size="sm">
                {linkText(total, has_more === true)}
              </Anchor>
            </Stack>
          )
        }
      </QueryLoader>
    </FormCard>
  )
}

function linkText(total: number, hasMore: boolean): string {
  if (hasMore) return `More than ${total.toLocaleString('en')} runs: see the history`
  return total === 1 ? 'See it in the history' : `All ${total.toLocaleString('en')} runs`
}
