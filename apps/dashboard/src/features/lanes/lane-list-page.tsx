import { Alert, Anchor, Paper, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { LaneRecord, LaneState } from '@gatehouse/contract'
import { Link, useSearchParams } from 'react-router'
import { paths } from '../../entities/paths.ts'
import { messageOf } from '../../lib/calls/call-error.ts'
import { useCan } from '../../lib/session/session.tsx'
import { Notice } from '../../ui/page/notice.tsx'
import { Page } from '../../ui/page/page.tsx'
import { QueryLoader } from '../../ui/page/query-loader.tsx'
import { LaneCard } from './lane-card.tsx'
import { laneQueries } from './lane-queries.ts'
import { LaneVerbs } from './lane-verbs.tsx'
import { lanesMessages, laneStateWords } from './lanes-messages.ts'

const laneStates = Object.keys(laneStateWords) as LaneState[]

/** Every lane: what is queued, what is under way, and what it waits for (spec: lanes). */
export function LaneListPage() {
  const query = useQuery(laneQueries.list())
  const [address] = useSearchParams()
  const state = laneStates.find((known) => known === address.get('state'))
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
            {lanes.length === 0 && <NoLanes />}
            {state !== undefined && <OnlyState state={state} lanes={lanes} />}
            <Lanes lanes={lanes.filter((lane) => state === undefined || lane.state === state)} />
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

/** Links from the home screen show the lanes of one state. */
function OnlyState({ state, lanes }: { state: LaneState; lanes: LaneRecord[] }) {
  const count = lanes.filter((lane) => lane.state === state).length
  const of = `${count} of ${lanes.length} ${lanes.length === 1 ? 'lane' : 'lanes'}`
  return (
    <Text size="sm">
      {of}: {laneStateWords[state].toLowerCase()}.{' '}
      <Anchor component={Link} to={paths.lanes} inherit>
        Show all lanes
      </Anchor>
    </Text>
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
