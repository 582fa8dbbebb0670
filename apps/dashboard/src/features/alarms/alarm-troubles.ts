import { useQuery } from '@tanstack/react-query'
import { paths } from '../../entities/paths.ts'
import { serverWords } from '../../lib/calls/server-words.tsx'
import { useCan } from '../../lib/session/session.tsx'
import { alarmQueries } from './alarm-queries.ts'

/** Alarms that nobody has acknowledged, with the list that shows them. */
export function useAlarmTroubles() {
  const can = useCan()
  const { data } = useQuery({
    ...alarmQueries.list({ state: 'open', limit: 3 }),
    enabled: can('alarm.view'),
  })
  const [page] = data ?? []
  return [
    {
      key: 'alarms',
      label: 'Open alarms',
      count: page?.total ?? 0,
      hasMore: page?.has_more ?? false,
      hint: 'Acknowledge what you take care of.',
      color: 'red',
      to: `${paths.alarms}?state=open`,
      things: (page?.data ?? []).map((alarm) => ({
        key: `alarm ${alarm.id}`,
        label: 'Alarm',
        color: 'red',
        name: serverWords(alarm.title),
        since: alarm.since,
        to: alarm.path,
        action: 'Look at it',
      })),
    },
  ]
}
