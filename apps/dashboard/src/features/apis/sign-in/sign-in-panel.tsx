import { Anchor, Badge, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-router'
import { paths } from '../../../entities/paths.ts'
import { messageOf } from '../../../lib/calls/call-error.ts'
import { useCan } from '../../../lib/session/session.tsx'
import { RetryNotice } from '../../../ui/page/notice.tsx'
import { Panel } from '../../../ui/page/panel.tsx'
import { ShowAll } from '../../../ui/table/show-all.tsx'
import { apiQueries } from '../api-queries.ts'
import { TestPlaceBadge } from './sign-in-badges.tsx'
import { signInFindings, type SignInFinding } from './sign-in-troubles.ts'
import classes from './sign-in-panel.module.css'

const shownMax = 10

/** On the dashboard's home: the sign-ins that need somebody, the worst first. */
export function SignInPanel() {
  const query = useQuery(apiQueries.signIns())
  const [isAll, setAll] = useState(false)
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
  const findings = signInFindings(query.data ?? [], new Date(query.dataUpdatedAt))
  if (findings.length === 0) return null
  const shown = isAll ? findings : findings.slice(0, shownMax)
  return (
    <Panel
      id="sign-ins"
      title="Sign-ins that need you"
      subtitle="Calls to these APIs fail, or will soon."
    >
      <ul className={classes['list']}>
        {shown.map((finding) => (
          <FindingRow key={`${finding.signIn.api_id} ${finding.signIn.which}`} {...finding} />
        ))}
      </ul>
      <ShowAll
        count={findings.length}
        shown={shown.length}
        noun="sign-ins"
        onShow={() => setAll(true)}
      />
    </Panel>
  )
}

function FindingRow({ signIn: { api_id, api_name, which }, warnings }: SignInFinding) {
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
