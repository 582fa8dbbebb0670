import { Alert, Anchor, Text } from '@mantine/core'
import { IconPlugConnectedX } from '@tabler/icons-react'
import type { OpenBreaker } from '@gatehouse/contract'
import { Link } from 'react-router'
import { paths } from '../../entities/paths.ts'
import { ageWords } from '../../lib/format/age-words.ts'
import { useCan } from '../../lib/session/session.tsx'
import classes from './open-breakers.module.css'

/** The APIs whose circuit breaker is open, since when, and on which servers. Nothing where none is. */
export function OpenBreakers({ breakers }: { breakers: readonly OpenBreaker[] }) {
  if (breakers.length === 0) return null
  const title =
    breakers.length === 1
      ? 'A circuit breaker is open'
      : `${breakers.length} circuit breakers are open`
  return (
    <Alert color="red" icon={<IconPlugConnectedX size={18} aria-hidden />} title={title}>
      <ul className={classes['list']}>
        {breakers.map((breaker) => (
          <li key={breaker.api_id}>
            <Breaker {...breaker} />
          </li>
        ))}
      </ul>
      <Text size="sm">
        Until a call succeeds, requests are answered with 503, and one is tried now and then.
      </Text>
    </Alert>
  )
}

function Breaker({ api_id, api, since, servers }: OpenBreaker) {
  const can = useCan()
  const where = servers.map(({ name, workers }) =>
    workers === 1 ? `${name} (1 worker)` : `${name} (${workers} workers)`,
  )
  return (
    <>
      {can('api.edit') ? (
        <Anchor component={Link} to={paths.apiEdit(api_id)} size="sm" fw={600}>
          {api}
        </Anchor>
      ) : (
        <Text span size="sm" fw={600}>
          {api}
        </Text>
      )}
      <Text span size="sm">
        {' '}
        for {ageWords(since)}, on {where.join(', ')}
      </Text>
    </>
  )
}
