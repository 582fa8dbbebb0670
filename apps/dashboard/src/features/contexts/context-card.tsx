import { Alert, Badge, Group, Paper, Text, Title } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import type { ContextRecord } from '@gatehouse/contract'
import { CopyButton } from '../../ui/text/copy-button.tsx'
import { MethodBadge } from '../../entities/endpoint/method-badge.tsx'
import { StatusBadge } from '../../entities/api/status-badge.tsx'
import classes from './context-card.module.css'
import { PrefixField } from './prefix-field.tsx'

/** One API with its prefix and the URLs of its endpoints. */
export function ContextCard({ api }: { api: ContextRecord }) {
  const missing = api.endpoints_count - api.endpoints.length
  return (
    <Paper component="section" className={classes['card'] ?? ''}>
      <Group className={classes['head'] ?? ''} gap="sm" justify="space-between">
        <Group gap="xs">
          <Title order={3}>{api.name}</Title>
          <StatusBadge status={api.gateway_status} />
          <Badge color="gray">{api.api_access}</Badge>
          <Text size="sm" c="dimmed">
            {api.endpoints_count === 1 ? '1 endpoint' : `${api.endpoints_count} endpoints`}
          </Text>
        </Group>
        <PrefixField id={api.id} name={api.name} context={api.context} />
      </Group>
      {api.is_reserved && <ReservedNotice context={api.context} />}
      <ul className={classes['list']}>
        {api.endpoints.map((endpoint) => (
          <li key={endpoint.id} className={classes['row']}>
            <MethodBadge method={endpoint.method_type} />
            <div className={classes['url']}>
              <Text size="sm" ff="monospace">
                {endpoint.url}
              </Text>
              <Text size="xs" c="dimmed">
                {endpoint.summery}
                {endpoint.status === 'disabled' && ' · disabled'}
              </Text>
            </div>
            <CopyButton
              label="Copy curl"
              description={endpoint.summery}
              text={curlCommand(endpoint, api.authentication || endpoint.authentication === 1)}
            />
          </li>
        ))}
        {missing > 0 && (
          <li className={classes['row']}>
            <Text size="sm" c="dimmed">
              and {missing} more
            </Text>
          </li>
        )}
      </ul>
    </Paper>
  )
}

/** The prefix was given before it was reserved. */
function ReservedNotice({ context }: { context: string }) {
  return (
    <Alert
      className={classes['notice'] ?? ''}
      color="orange"
      icon={<IconAlertTriangle size={18} />}
      title="This prefix is reserved now"
    >
      Paths under /{context.split('/')[0]} belong to Gatehouse itself. If the gateway shares its
      host with the dashboard, browsers send the dashboard’s cookies there. Change the prefix, and
      give the new URLs to the clients of this API: the old ones end at once.
    </Alert>
  )
}

type ContextEndpoint = ContextRecord['endpoints'][number]

/** A command line that calls the endpoint through the gateway; `$TOKEN` is the caller's own. */
export function curlCommand(endpoint: ContextEndpoint, isGuarded: boolean): string {
  const method = endpoint.method_type.toUpperCase()
  const parts = ['curl', ...(method === 'GET' ? [] : ['-X', method]), quote(endpoint.url)]
  if (isGuarded) parts.push('-H', '"Authorization: Bearer $TOKEN"')
  if (method !== 'GET') parts.push('-H', quote('Content-Type: application/json'), '-d', quote('{}'))
  // Braces are shorthands to curl: parameters like {id} have to reach the reader as they are.
  return endpoint.url.includes('{') ? parts.toSpliced(1, 0, '--globoff').join(' ') : parts.join(' ')
}

/** Single quotes hold everything for a shell but themselves. */
const quote = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`
