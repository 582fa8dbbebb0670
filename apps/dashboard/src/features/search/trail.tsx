import { Anchor, Paper, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { TrailEvent } from '@gatehouse/contract'
import { Link } from 'react-router'
import { Moment } from '../../ui/text/moment.tsx'
import classes from './search.module.css'
import { trailQueries, type TrailAnswer } from './search-queries.ts'
import { addressOfEvent, trailSourceWords } from './trail-words.ts'

/** What happened about a request id, a reference or a token, in order; nothing where nothing is called so. */
export function Trail({ q }: { q: string }) {
  const { data } = useQuery({ ...trailQueries.list({ q }), enabled: q.trim() !== '' })
  if (!data || data.events.length === 0) return null
  return (
    <section aria-label="What happened">
      <Title order={3} fz="md" mb="xs">
        What happened
      </Title>
      <Paper withBorder>
        <ol className={classes['trail']}>
          {data.events.map((event, at) => (
            // oxlint-disable-next-line react/no-array-index-key -- events of one answer never move
            <li key={at}>
              <EventRow event={event} />
            </li>
          ))}
        </ol>
      </Paper>
      <TrailNotes answer={data} />
    </section>
  )
}

function EventRow({ event }: { event: TrailEvent }) {
  const { at, source, text, outcome } = event
  return (
    <>
      <Text size="xs" c="dimmed">
        <Moment at={at} />
      </Text>
      <Text size="xs" c="dimmed">
        {trailSourceWords[source]}
      </Text>
      <Anchor
        component={Link}
        to={addressOfEvent(event)}
        size="sm"
        className={classes['what'] ?? ''}
      >
        <bdi>{text}</bdi>
      </Anchor>
      <Text size="xs">
        <bdi>{outcome}</bdi>
      </Text>
    </>
  )
}

function TrailNotes({ answer: { has_more, left_out } }: { answer: TrailAnswer }) {
  return (
    <>
      {has_more && (
        <Text size="xs" c="dimmed" mt={4}>
          There is more: these are the newest of each source.
        </Text>
      )}
      {left_out.length > 0 && (
        <Text size="xs" c="dimmed" mt={4}>
          Not looked at, since you may not see it or it did not answer:{' '}
          {left_out.map((source) => trailSourceWords[source]).join(', ')}.
        </Text>
      )}
      <Text size="xs" c="dimmed" mt={4}>
        Logs are those of the server that answers, and of gateways that run alone.
      </Text>
    </>
  )
}
