import { Badge, Group, Text } from '@mantine/core'
import type { SubmittedApi } from '@gatehouse/contract'
import type { ReactNode } from 'react'
import { StatusBadge } from '../../entities/api/status-badge.tsx'
import { TagChips } from '../../entities/tag/tag-chips.tsx'
import { paths } from '../../entities/paths.ts'
import { useCan } from '../../lib/session/session.tsx'
import { CopyButton } from '../../ui/text/copy-button.tsx'
import { AddressCheckRow } from './form/address-check-row.tsx'
import classes from './api-page.module.css'
import { databaseOf } from './procedures/database-of.ts'

interface ApiFactsProps {
  apiId: number
  api: SubmittedApi & { gateway_url: string }
  hasCheck: boolean
}

/** What kind of API it is, whether it is on, where it is and where clients reach it. */
export function ApiFacts({ apiId, api, hasCheck }: ApiFactsProps) {
  const can = useCan()
  const isHttp = api.api_protocol === 'http'
  const isChecked = hasCheck && isHttp && can('api.edit')
  return (
    <div>
      <Group gap="xs" mb="xs">
        <StatusBadge status={api.gateway_status} />
        <Badge color="gray">{isHttp ? 'HTTP' : 'Stored Procedure'}</Badge>
        <Badge color="gray">{api.api_access === 'internally' ? 'Internally' : 'Externally'}</Badge>
        {api.authentication && <Badge color="gray">Bearer token</Badge>}
        <TagChips tags={api.tags} listPath={paths.apis} />
      </Group>
      <dl className={classes['addresses']}>
        <Address
          label={isHttp ? 'Base URL' : 'Database'}
          address={isHttp ? api.api_url : databaseOf(api)}
        >
          {isChecked && <AddressCheckRow apiId={apiId} url={api.api_url} />}
        </Address>
        <Address label="Gateway URL" address={api.gateway_url} />
      </dl>
    </div>
  )
}

interface AddressProps {
  label: string
  address: string
  children?: ReactNode
}

function Address({ label, address, children }: AddressProps) {
  return (
    <div className={classes['address']}>
      <dt>{label}</dt>
      <dd>
        <Text component="span" size="sm" ff="monospace" className={classes['text'] ?? ''}>
          {address}
        </Text>
        <CopyButton text={address} label="Copy" description={`the ${label}`} />
        {children}
      </dd>
    </div>
  )
}
