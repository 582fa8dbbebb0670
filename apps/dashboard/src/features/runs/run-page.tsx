import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Anchor, Group, Paper, Stack, Text } from '@mantine/core'
import type { RunDetail } from '@gatehouse/contract'
import { Link } from 'react-router'
import { CallError, messageOf } from '../../lib/calls/call-error.ts'
import { paths } from '../../entities/paths.ts'
import { kindWords, runSentence, runStateText } from '../../entities/run/run-words.ts'
import { runQueries } from '../../entities/run/run-queries.ts'
import { useThingName } from '../../lib/page/thing-name.ts'
import { useRecordId } from '../../lib/page/use-record-id.ts'
import { Loading } from '../../ui/page/loading.tsx'
import { Notice, RetryNotice } from '../../ui/page/notice.tsx'
import { Page } from '../../ui/page/page.tsx'
import { DoneBadge, RunBadge, TestBadge } from '../../entities/run/run-badges.tsx'
import { RunLink } from '../../entities/run/run-link.tsx'
import { ArchivedNotice } from './archived-notice.tsx'
import { QueueFacts } from './queue-facts.tsx'
import { RunFacts } from './run-facts.tsx'
import { RunRelease } from './release/run-release.tsx'
import { RunSteps } from './run-steps.tsx'
import { RunVerbs } from './actions/run-verbs.tsx'
import classes from './runs.module.css'
import { useRunDetail } from './use-run-detail.ts'

/** Everything about one run. */
export function RunPage() {
  const id = useRecordId()
  const query = useRunDetail(id)
  const [isAsked, setIsAsked] = useState(false)
  const back = useQuery({ ...runQueries.readBack(id), enabled: isAsked })
  const run = query.data?.archive ? (back.data ?? query.data) : query.data
  useThingName(run ? thingNameOf(run) : `Run ${id}`)
  const handleRead = () => void (isAsked ? back.refetch() : setIsAsked(true))
  return (
    <Page title={`Run ${id}`} {...(run ? { subtitle: <Subtitle run={run} /> } : {})}>
      {query.isPending && <Loading />}
      {query.isError && (
        <Paper className={classes['card'] ?? ''}>
          <Failure error={query.error} isRetrying={query.isFetching} onRetry={query.refetch} />
        </Paper>
      )}
      {run && (
        <Stack gap="md">
          <Paper className={classes['card'] ?? ''}>
            <RunFacts run={run} />
          </Paper>
          {run.queue && (
            <Paper className={classes['card'] ?? ''}>
              <QueueFacts queue={run.queue} />
            </Paper>
          )}
          {run.release && (
            <Paper className={classes['card'] ?? ''}>
              <RunRelease run={run} release={run.release} />
            </Paper>
          )}
          {run.archive && (
            <ArchivedNotice
              archive={run.archive}
              error={back.error}
              isReading={back.isFetching}
              onRead={handleRead}
            />
          )}
          <RunVerbs run={run} />
          <RunSteps run={run} />
        </Stack>
      )}
    </Page>
  )
}

/** A run without a document has no reference. */
const thingNameOf = ({ id, reference, state, is_dry_run }: RunDetail) =>
  [`Run ${id}`, reference, runStateText(state, is_dry_run)]
    .filter((part) => part !== null)
    .join(' · ')

function Subtitle({ run }: { run: RunDetail }) {
  const isDone = run.is_closed || run.overtaken_by !== null
  return (
    <>
      <Group component="span" gap="xs" display="inline-flex">
        {kindWords[run.kind]}
        <RunBadge state={run.state} isDryRun={run.is_dry_run} />
        {run.is_test && <TestBadge />}
        {isDone && <DoneBadge isClosed={run.is_closed} />}
      </Group>
      <Text component="span" size="sm" display="block" mt={4} aria-live="polite">
        <Sentence run={run} />
      </Text>
    </>
  )
}

function Sentence({ run }: { run: RunDetail }) {
  if (run.closed !== null) return `${run.closed.by} has closed it: nothing is left to do.`
  // A person does not send it again.
  if (run.kind === 'call' && run.state === 'not_started')
    return 'Nothing of it has been accepted. The agent can make the call again.'
  if (run.overtaken_by === null || run.state === 'succeeded' || run.state === 'unknown')
    return runSentence(run.state, run.is_dry_run)
  return (
    <>
      Another was sent in its place: <RunLink id={run.overtaken_by} />.
    </>
  )
}

interface FailureProps {
  error: unknown
  isRetrying: boolean
  onRetry: () => unknown
}

function Failure({ error, isRetrying, onRetry }: FailureProps) {
  if (error instanceof CallError && error.status === 404) {
    return (
      <Notice title="There is no such run.">
        <Anchor component={Link} to={paths.runs} size="sm">
          Go to the history
        </Anchor>
      </Notice>
    )
  }
  return (
    <RetryNotice
      title="The run could not be loaded."
      reason={messageOf(error)}
      isRetrying={isRetrying}
      onRetry={() => void onRetry()}
    />
  )
}
