import { Anchor, Text } from '@mantine/core'
import type { RunDetail } from '@gatehouse/contract'
import { Fragment, type ReactNode } from 'react'
import { Link } from 'react-router'
import { durationWords } from '../../lib/format/age-words.ts'
import { paths } from '../../entities/paths.ts'
import { useCan } from '../../lib/session/session.tsx'
import { Copied } from '../../ui/text/copied.tsx'
import { Facts } from '../../ui/text/facts.tsx'
import { Moment } from '../../ui/text/moment.tsx'
import { RegisterNames } from '../../entities/document/register-names.tsx'
import { WorkflowLink } from '../../entities/workflow/workflow-link.tsx'
import { RunLink } from '../../entities/run/run-link.tsx'

/** Who, when, what about, and the runs that belong to it. */
export function RunFacts({ run }: { run: RunDetail }) {
  const facts: [string, ReactNode][] = [
    ['Who', run.user_name],
    ['Started', <Moment key="started" at={run.created_at} isRelative />],
  ]
  if (run.finished_at !== null) facts.push(['Finished', <Finished key="finished" run={run} />])
  if (run.reference !== null)
    facts.push(['Reference', <Reference key="reference" reference={run.reference} />])
  if (run.registers.length > 0)
    facts.push(['Register', <RegisterNames key="registers" names={run.registers} />])
  if (run.workflow !== null)
    facts.push(['Workflow', <WorkflowVersion key="workflow" workflow={run.workflow} />])
  if (run.batch !== null) facts.push(['Batch', <BatchPlace key="batch" run={run} />])
  facts.push([
    'Request id',
    <Copied key="request" text={run.request_id} description="the request id" />,
  ])
  if (run.trace_id !== null)
    facts.push(['Trace id', <Copied key="trace" text={run.trace_id} description="the trace id" />])
  if (run.retry_of !== null) facts.push(['Retry of', <RunLink key="retry" id={run.retry_of} />])
  if (run.retried_by !== null)
    facts.push(['Retried by', <RunLink key="retried" id={run.retried_by} />])
  if (run.overtaken_by !== null && run.overtaken_by !== run.retried_by)
    facts.push(['Place taken by', <RunLink key="overtaken" id={run.overtaken_by} />])
  if (run.closed !== null) facts.push(['Closed', <Closed key="closed" closed={run.closed} />])
  if (run.original !== null) facts.push(['Credits', <RunLink key="original" id={run.original} />])
  if (run.credits.length > 0)
    facts.push(['Credited by', <RunLinks key="credits" ids={run.credits} />])
  return <Facts facts={facts} />
}

const Reference = ({ reference }: { reference: string }) => (
  <Copied text={reference} description="the reference">
    <DocumentLink reference={reference} />
  </Copied>
)

function WorkflowVersion({ workflow }: { workflow: NonNullable<RunDetail['workflow']> }) {
  return (
    <>
      <WorkflowLink id={workflow.id} name={workflow.name} /> · version {workflow.version}
    </>
  )
}

/** The row of a batch that the run carries. */
function BatchPlace({ run: { batch, workflow } }: { run: RunDetail }) {
  const can = useCan()
  if (!batch) return null
  const words = `batch ${batch.id}`
  return (
    <>
      row {batch.line.toLocaleString('en')} of{' '}
      {workflow && can('workflow.view') ? (
        <Anchor component={Link} to={paths.batch(workflow.id, batch.id)} inherit>
          {words}
        </Anchor>
      ) : (
        words
      )}
    </>
  )
}

function Closed({ closed }: { closed: NonNullable<RunDetail['closed']> }) {
  return (
    <>
      <Moment at={closed.at} isRelative /> · by {closed.by}
      <Text size="sm" style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
        “{closed.reason}”
      </Text>
    </>
  )
}

/** To all that is known of the document, whichever run carried it. */
function DocumentLink({ reference }: { reference: string }) {
  const search = new URLSearchParams({ search: reference }).toString()
  return (
    <Anchor component={Link} to={`${paths.documents}?${search}`} inherit>
      {reference}
    </Anchor>
  )
}

function Finished({ run }: { run: RunDetail }) {
  if (run.finished_at === null) return null
  const tookMs = Date.parse(run.finished_at) - Date.parse(run.created_at)
  return (
    <>
      <Moment at={run.finished_at} isRelative /> · after {durationWords(tookMs)}
    </>
  )
}

const RunLinks = ({ ids }: { ids: readonly number[] }) =>
  ids.map((id, at) => (
    <Fragment key={id}>
      {at > 0 && ', '}
      <RunLink id={id} />
    </Fragment>
  ))
