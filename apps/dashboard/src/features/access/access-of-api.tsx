import { Button, Group, Stack } from '@mantine/core'
import { useState } from 'react'
import { useSearchParams } from 'react-router'
import { paths } from '../../entities/paths.ts'
import { useCan } from '../../lib/session/session.tsx'
import { PageTabs } from '../../ui/page/page-tabs.tsx'
import { CallableList, CallingRoles, CallingTokens } from './api-access-lists.tsx'
import { WholeApiDialog } from './whole-api-dialog.tsx'

const views = {
  endpoints: { label: 'By endpoint', List: CallableList },
  roles: { label: 'By role', List: CallingRoles },
  tokens: { label: 'By token', List: CallingTokens },
} as const

/** Who may call an API on its page: its endpoints, its roles and its tokens, each with the others. */
export function AccessOfApi({ apiId }: { apiId: number }) {
  const can = useCan()
  const [isGranting, setIsGranting] = useState(false)
  const [address] = useSearchParams()
  const wanted = address.get('by')
  const by = wanted === 'roles' || wanted === 'tokens' ? wanted : 'endpoints'
  const { List } = views[by]
  const base = paths.apiPart(apiId, 'access')
  return (
    <Stack gap="sm">
      <Group justify="space-between" gap="sm">
        <PageTabs
          label="Access"
          tabs={Object.entries(views).map(([name, { label }]) => ({
            label,
            path: name === 'endpoints' ? base : `${base}?by=${name}`,
            isCurrent: name === by,
          }))}
          isSmall
        />
        {can('api-permission.edit') && can('role.view') && (
          <Button variant="default" size="xs" onClick={() => setIsGranting(true)}>
            Grant the whole API
          </Button>
        )}
      </Group>
      {isGranting && <WholeApiDialog apiId={apiId} onClose={() => setIsGranting(false)} />}
      <List key={by} apiId={apiId} />
    </Stack>
  )
}
