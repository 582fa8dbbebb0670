import { Alert, Paper, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { LaneRecord } from '@gatehouse/contract'
import { messageOf } from '../../lib/call-error.ts'
import { useCan } from '../../lib/session.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Page } from '../../ui/page.tsx'
import { QueryLoader } from '../../ui/query-loader.tsx'
import { LaneCard } from './lane-card.tsx'
import { laneQueries } from './lane-queries.ts'
import { LaneVerbs } from './lane-verbs.tsx'
import { lanesMessages } from './lanes-messages.ts'

/** Every lane: what is queued, what is under way, and what it waits for (spec: lanes). */
export function LaneListPage() {
  const query = useQuery(laneQueries.list())
  return (
    <Page
      title="Lanes"
      subtitle="Runs of workflows wait here for their turn. Workflows that share a lane share its limits."
    >
      <QueryLoader query={query} failureText={lanesMessages.notLoaded}>
        {(lanes) => (
          <>
            {query.isError && (
              <Alert color="orange" role="alert" title="These figures are not the newest.">
                {messageOf(query.error)}
              </Alert>
            )}
            {lanes.length === 0 ? <NoLanes /> : <Lanes lanes={lanes} />}
          </>
        )}
      </QueryLoader>
    </Page>
  )
}

function Lanes({ lanes }: { lanes: LaneRecord[] }) {
  const can = useCan()
  return (
    <Stack gap="md">
      {lanes.map((lane) => (
        <LaneCard key={lane.id} lane={lane}>
          {can('workflow.operate') && <LaneVerbs lane={lane} />}
        </LaneCard>
      ))}
    </Stack>
  )
}

function NoLanes() {
  return (
    <Paper withBorder>
      <Notice title="No lanes yet">
        <Text size="sm" c="dimmed" maw={440}>
          A lane comes with the first workflow that names it. Its limits are set in the form of the
          workflow.
        </Text>
      </Notice>
    </Paper>
  )
}
