import { Anchor, Badge, Paper, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ApiSignIn } from '@gatehouse/contract'
import { Link } from 'react-router'
import { signInWarnings, type SignInWarning } from '../../entities/api/sign-in-words.ts'
import { paths } from '../../entities/paths.ts'
import { messageOf } from '../../lib/call-error.ts'
import { useCan } from '../../lib/session.tsx'
import { RetryNotice } from '../../ui/notice.tsx'
import { apiQueries } from './api-queries.ts'
import { TestPlaceBadge } from './sign-in-badges.tsx'
import classes from './sign-in-panel.module.css'

/** More of them are in the API list. */
const shownMax = 10

interface Finding {
  signIn: ApiSignIn
  warnings: SignInWarning[]
}

/** On the dashboard's home: the sign-ins that need somebody, the worst first. */
export function SignInPanel() {
  const query = useQuery(apiQueries.signIns())
  if (query.isError) {
    return (
      <RetryNotice
        title="The sign-ins could not be loaded."
        reason={messageOf(query.error)}
        isRetrying={query.isFetching}
        onRetry={() => void query.refetch()}
      />
    )
  }
  const findings = findingsOf(query.data ?? [], new Date(query.dataUpdatedAt))
  if (findings.length === 0) return null
  const hidden = findings.length - shownMax
  return (
    <Paper component="section" className={classes['panel'] ?? ''} aria-labelledby="sign-ins">
      <Title order={2} size="h3" id="sign-ins">
        Sign-ins that need you
      </Title>
      <Text size="sm" c="dimmed">
        Calls to these APIs fail, or will soon.
      </Text>
      <ul className={classes['list']}>
        {findings.slice(0, shownMax).map((finding) => (
          <FindingRow key={`${finding.signIn.api_id} ${finding.signIn.which}`} {...finding} />
        ))}
      </ul>
      {hidden > 0 && (
        <Anchor component={Link} to={paths.apis} size="sm">
          {hidden} more in the API list
        </Anchor>
      )}
    </Paper>
  )
}

function FindingRow({ signIn: { api_id, api_name, which }, warnings }: Finding) {
  const can = useCan()
  const list = `${paths.apis}?${new URLSearchParams({ search: api_name }).toString()}`
  const details = warnings.map(({ detail }) => detail).filter((detail) => detail !== '')
  return (
    <li className={classes['item']}>
      <Anchor
        component={Link}
        to={can('api.edit') ? paths.apiEdit(api_id) : list}
        size="sm"
        className={classes['name'] ?? ''}
      >
        {api_name}
      </Anchor>
      {which === 'test' && <TestPlaceBadge />}
      {warnings.map(({ text, color }) => (
        <Badge key={text} color={color}>
          {text}
        </Badge>
      ))}
      {details.length > 0 && (
        <Text size="sm" c="dimmed" className={classes['detail'] ?? ''}>
          {details.join(' ')}
        </Text>
      )}
    </li>
  )
}

const urgency = ['red', 'orange', 'yellow']
const urgencyOf = ({ warnings }: Finding) =>
  Math.min(...warnings.map(({ color }) => urgency.indexOf(color)))

const findingsOf = (signIns: readonly ApiSignIn[], now: Date): Finding[] =>
  signIns
    .map((signIn) => ({ signIn, warnings: signInWarnings(signIn, now) }))
    .filter(({ warnings }) => warnings.length > 0)
    .toSorted((one, other) => urgencyOf(one) - urgencyOf(other))
