import { Anchor, Title } from '@mantine/core'
import type { QueuePlace } from '@gatehouse/contract'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { paths } from '../../entities/paths.ts'
import { useCan } from '../../lib/session/session.tsx'
import { Facts } from '../../ui/text/facts.tsx'
import { Moment } from '../../ui/text/moment.tsx'

/** Where a queued run is, what it waits for, and until when. */
export function QueueFacts({ queue }: { queue: QueuePlace }) {
  const { queued_at, tries, next_try_at, deadline_at, waiting_for, last_failure } = queue
  const facts: [string, ReactNode][] = [
    ['Lane', <LaneLink key="lane" name={queue.lane.name} />],
    ['Waits for', waiting_for ?? 'Nothing: it is sent in a moment.'],
    ['Next try', <NextTry key="next" at={next_try_at} />],
    ['Deadline', <Deadline key="deadline" at={deadline_at} />],
    ['Queued', <Moment key="queued" at={queued_at} isRelative />],
  ]
  if (tries > 0) facts.push(['Tried', tries === 1 ? 'once' : `${tries} times`])
  if (last_failure !== null) facts.push(['Last try', last_failure])
  return (
    <section aria-labelledby="queue-facts">
      <Title order={3} id="queue-facts" mb="xs">
        In its lane
      </Title>
      <Facts facts={facts} />
    </section>
  )
}

const NextTry = ({ at }: { at: string | null }) =>
  at === null ? 'as soon as it can be' : <Moment at={at} />

function Deadline({ at }: { at: string | null }) {
  if (at === null) return 'none'
  return (
    <>
      <Moment at={at} />: if it has not been sent by then, it ends as not started
    </>
  )
}

function LaneLink({ name }: { name: string }) {
  const can = useCan()
  if (!can('workflow.view')) return name
  return (
    <Anchor component={Link} to={paths.lanes} inherit c="inherit" underline="always">
      {name}
    </Anchor>
  )
}
