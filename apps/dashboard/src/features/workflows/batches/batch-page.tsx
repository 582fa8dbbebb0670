import { Anchor, Group, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { BatchRecord } from '@gatehouse/contract'
import { Link, useParams } from 'react-router'
import { paths } from '../../../entities/paths.ts'
import { TestBadge } from '../../../entities/run/run-badges.tsx'
import { useCan } from '../../../lib/session/session.tsx'
import { useThingName } from '../../../lib/page/thing-name.ts'
import { useRecordId } from '../../../lib/page/use-record-id.ts'
import { Facts } from '../../../ui/text/facts.tsx'
import { Figures } from '../../../ui/chart/figures.tsx'
import { FormCard } from '../../../ui/form/form-card.tsx'
import { Moment } from '../../../ui/text/moment.tsx'
import { Page } from '../../../ui/page/page.tsx'
import { QueryLoader } from '../../../ui/page/query-loader.tsx'
import type { Workflow } from '../read-workflow.ts'
import { workflowQueries } from '../workflow-queries.ts'
import { workflowsMessages } from '../workflows-messages.ts'
import { BatchLines } from './batch-lines.tsx'
import { BatchBadge, BatchBar, BatchLegend } from './batch-progress.tsx'
import { BatchVerbs } from './batch-verbs.tsx'
import { batchesMessages, leftOf, nameOf, timeLeftWords } from './batch-words.ts'
import { ResultsButton } from './results-button.tsx'
import { useBatch } from './use-batch.ts'
import { useLineState } from './use-line-state.ts'

/** One batch: its progress while it goes on, what became of each row, and what can be done. */
export function BatchPage() {
  const batchId = Number(useParams()['batch'])
  const query = useQuery(workflowQueries.one(useRecordId()))
  if (!query.data)
    return (
      <Page title={`Batch ${batchId}`}>
        <QueryLoader query={query} failureText={workflowsMessages.notLoaded}>
          {() => null}
        </QueryLoader>
      </Page>
    )
  return <OfWorkflow key={batchId} workflow={query.data} batchId={batchId} />
}

function OfWorkflow({ workflow, batchId }: { workflow: Workflow; batchId: number }) {
  const can = useCan()
  const place = { slug: workflow.slug, id: batchId }
  const query = useBatch(place)
  const batch = query.data
  useThingName(batch ? `Batch ${batchId} · ${nameOf(batch)}` : `Batch ${batchId}`, {
    within: { name: workflow.name, to: paths.workflow(workflow.id) },
  })
  return (
    <Page
      title={batch ? nameOf(batch) : `Batch ${batchId}`}
      subtitle={
        <>
          Batch {batchId} of{' '}
          <Anchor component={Link} to={paths.workflow(workflow.id)} inherit underline="always">
            {workflow.name}
          </Anchor>
        </>
      }
      actions={
        batch && (
          <Group gap="sm">
            {can('workflow.operate') && <BatchVerbs batch={batch} />}
            <ResultsButton place={place} />
          </Group>
        )
      }
    >
      <QueryLoader query={query} failureText={batchesMessages.notLoaded}>
        {(shown) => <Content batch={shown} />}
      </QueryLoader>
    </Page>
  )
}

function Content({ batch }: { batch: BatchRecord }) {
  const { state, setState } = useLineState()
  return (
    <Stack gap="lg">
      <FormCard title="Progress">
        <Group gap="xs">
          <BatchBadge batch={batch} />
          {batch.is_test && <TestBadge />}
          <Text component="output" size="sm" c="dimmed">
            {sentenceOf(batch)}
          </Text>
        </Group>
        <BatchBar counts={batch.counts} />
        <BatchLegend counts={batch.counts} chosen={state} onChoose={setState} />
        <Figures figures={figuresOf(batch)} />
        <Facts
          facts={[
            ['Sent by', batch.user_name],
            ['Sent', <Moment key="sent" at={batch.created_at} isRelative />],
            ['Version', `${batch.workflow.version} of the workflow`],
          ]}
        />
      </FormCard>
      <BatchLines batch={batch} />
    </Stack>
  )
}

function figuresOf(batch: BatchRecord) {
  const { total, rate_per_minute, seconds_left, state } = batch
  const isOpen = seconds_left === null || state === 'paused'
  return [
    { name: 'Rows', value: total.toLocaleString('en') },
    { name: 'Left', value: leftOf(batch).toLocaleString('en') },
    { name: 'Ended in a minute', value: rate_per_minute.toLocaleString('en') },
    { name: 'Time left', value: isOpen ? '–' : timeLeftWords(seconds_left) },
  ]
}

function sentenceOf(batch: BatchRecord): string {
  const left = leftOf(batch)
  switch (batch.state) {
    case 'paused':
      return 'Runs under way end. No other is started until it is resumed.'
    case 'cancelled':
      return left > 0 ? 'What was begun goes on.' : 'What had not begun was taken out of the lane.'
    case 'finished':
      return batch.counts.succeeded === batch.total
        ? 'Every row succeeded.'
        : 'Every row has ended, or waits for a person.'
    case 'running':
    default:
      return 'Its rows are carried out by the lane of the workflow.'
  }
}
