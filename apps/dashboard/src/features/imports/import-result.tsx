import { Alert, Anchor, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { Link } from 'react-router'
import { paths } from '../../entities/paths.ts'
import { useCan } from '../../lib/session/session.tsx'
import { ShowAll } from '../../ui/table/show-all.tsx'
import { Callers } from './import-callers.tsx'
import type { Imported } from './import-queries.ts'
import classes from './imports.module.css'

const words = { create: 'made', update: 'changed', left: 'left as they were' } as const

/** What the import has made and who may call it, with where to go next. */
export function ImportResult({ result }: { result: Imported }) {
  const counts = (['create', 'update', 'left'] as const)
    .map((action) => ({
      count: result.endpoints.filter((each) => each.action === action).length,
      word: words[action],
    }))
    .filter(({ count }) => count > 0)
    .map(({ count, word }) => `${count.toLocaleString('en')} ${word}`)
  const isAnyOpen = result.endpoints.some(({ is_token_required }) => !is_token_required)
  return (
    <Alert color={isAnyOpen ? 'orange' : 'green'} role="note" title="Imported">
      <Stack gap="md">
        <Text size="sm">Endpoints: {counts.join(', ')}.</Text>
        {result.apis.map((api) => (
          <ImportedApi
            key={api.id}
            api={api}
            endpoints={result.endpoints.filter(({ api_id }) => api_id === api.id)}
          />
        ))}
        <Anchor component={Link} underline="always" to={paths.endpoints} size="sm">
          Endpoints
        </Anchor>
      </Stack>
    </Alert>
  )
}

interface ImportedApiProps {
  api: Imported['apis'][number]
  endpoints: Imported['endpoints']
}

const shownAtFirst = 10

function ImportedApi({ api, endpoints }: ImportedApiProps) {
  const can = useCan()
  const [isWhole, setIsWhole] = useState(false)
  const { id, name, action, api_access } = api
  const shown = isWhole ? endpoints : endpoints.slice(0, shownAtFirst)
  const open = endpoints.filter(({ is_token_required }) => !is_token_required).length
  const without = endpoints.filter((each) => each.is_token_required && each.roles_count === 0)
  return (
    <Stack gap={4}>
      <Text size="sm">
        <Anchor component={Link} underline="always" to={paths.apiEdit(id)}>
          {name}
        </Anchor>{' '}
        {action === 'create' ? 'is new: set how calls sign in to it.' : 'was there already.'}
      </Text>
      <Text size="sm">
        {open > 0 &&
          `Anyone may call ${open.toLocaleString('en')} of them: no token is asked for. `}
        {without.length > 0 &&
          `No role has access yet to ${without.length.toLocaleString('en')} of them. `}
        {api_access === 'internally'
          ? 'Only internal networks may call them.'
          : 'Any network may call them.'}
      </Text>
      {can('api-permission.view') && (
        <Anchor
          component={Link}
          underline="always"
          to={`${paths.apiPart(id, 'access')}?by=roles`}
          size="sm"
        >
          Access to {name} by role
        </Anchor>
      )}
      <ul className={classes['operations']} aria-label={`Endpoints of ${name}`}>
        {shown.map((endpoint) => (
          <li key={endpoint.id}>
            <Anchor
              component={Link}
              to={paths.endpointEdit(endpoint.id)}
              size="sm"
              ff="monospace"
              className={classes['operation'] ?? ''}
            >
              <bdi dir="ltr">{endpoint.key}</bdi>
            </Anchor>
            <Callers of={endpoint} />
          </li>
        ))}
      </ul>
      <ShowAll
        count={endpoints.length}
        shown={shown.length}
        noun="endpoints"
        onShow={() => setIsWhole(true)}
      />
    </Stack>
  )
}
