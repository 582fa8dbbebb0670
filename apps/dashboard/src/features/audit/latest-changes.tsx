import { Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { AuditEvent } from '@gatehouse/contract'
import { paths } from '../../entities/paths.ts'
import { call } from '../../lib/calls/call.ts'
import { ageWords } from '../../lib/format/age-words.ts'
import { Panel } from '../../ui/page/panel.tsx'
import { QueryLoader } from '../../ui/page/query-loader.tsx'
import classes from './latest-changes.module.css'

const shown = 8
/** Sign-ins, views of logs and refusals are in the trail too. */
const readMax = 100
const refreshMs = 30_000

const isChange = ({ outcome, thing, before, after }: AuditEvent) =>
  outcome === 'done' &&
  thing !== 'session' &&
  thing !== 'log' &&
  (before !== null || after !== null)

/** On the dashboard's home: what was changed last, and by whom. */
export function LatestChanges() {
  const query = useQuery({
    queryKey: ['audit', 'latest'],
    queryFn: async ({ signal }) => {
      // Apart, so that no other list loads the words.
      const [{ wordsOfAction }, [page]] = await Promise.all([
        import('./audit-words.ts'),
        call('GET /api/audit', { query: { limit: readMax }, signal }),
      ])
      const changes = page.data.filter(isChange).slice(0, shown)
      return changes.map((event) => ({ ...event, words: wordsOfAction(event.action) }))
    },
    refetchInterval: refreshMs,
  })
  if (query.data?.length === 0) return null
  return (
    <Panel id="changes" title="Changed last" more={{ label: 'Audit trail', to: paths.audit }}>
      <QueryLoader query={query} failureText="The latest changes could not be loaded.">
        {(events) => (
          <ul className={classes['list']}>
            {events.map((event) => (
              <li key={event.id} className={classes['event']}>
                <Text size="sm" className={classes['what'] ?? ''}>
                  {event.words} <b>{event.thing_name}</b>
                </Text>
                <Text size="xs" c="dimmed" className={classes['what'] ?? ''}>
                  {event.actor === '' ? 'Gatehouse' : event.actor} ·{' '}
                  <time dateTime={event.at} title={event.at}>
                    {ageWords(event.at)} ago
                  </time>
                </Text>
              </li>
            ))}
          </ul>
        )}
      </QueryLoader>
    </Panel>
  )
}
