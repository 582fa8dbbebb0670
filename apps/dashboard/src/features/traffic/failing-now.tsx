import { Button, Text, VisuallyHidden } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { IconAlertTriangle } from '@tabler/icons-react'
import type { FailingApi } from '@gatehouse/contract'
import { Link } from 'react-router'
import { paths } from '../../entities/paths.ts'
import { requestsAddress } from '../../entities/requests-address.ts'
import { useCan } from '../../lib/session/session.tsx'
import classes from './failing-now.module.css'
import { formatCount, formatMoment } from './format-figures.ts'
import { trafficQueries } from './traffic-queries.ts'

/** APIs to which requests fail now, as far as the user may know. */
export function useFailing(): readonly FailingApi[] {
  const can = useCan()
  const { data } = useQuery({ ...trafficQueries.show('hour'), enabled: can('dashboard.view') })
  return data?.failing_now ?? []
}

/** On the dashboard's home: each with the requests that say why. */
export function FailingNow({ apis }: { apis: readonly FailingApi[] }) {
  if (apis.length === 0) return null
  return (
    <section aria-label="Failing now">
      <ul className={classes['list']}>
        {apis.map((api) => (
          <FailingLine key={api.api_id} {...api} />
        ))}
      </ul>
    </section>
  )
}

function FailingLine({ api_id, api, errors, requests, since }: FailingApi) {
  const can = useCan()
  const why = can('log.view')
    ? requestsAddress({ api: api_id, status: 'failed', from: since })
    : paths.traffic
  return (
    <li className={classes['line']}>
      <IconAlertTriangle size={20} aria-hidden />
      <Text size="sm" className={classes['words'] ?? ''}>
        <b>
          {formatCount(errors)} of {formatCount(requests)}
        </b>{' '}
        failing at <b>{api}</b> since <time dateTime={since}>{formatMoment(since, 'hour')}</time>
      </Text>
      <Button component={Link} to={why} color="red" size="compact-sm">
        See why<VisuallyHidden> requests fail at {api}</VisuallyHidden>
      </Button>
    </li>
  )
}
