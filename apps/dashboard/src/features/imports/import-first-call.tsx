import { Alert, Anchor, Button, Group, Stack, Text, Textarea } from '@mantine/core'
import { IconPlayerPlay } from '@tabler/icons-react'
import { useState } from 'react'
import { Link } from 'react-router'
import { CallOutcome } from '../../entities/first-call/call-outcome.tsx'
import { NewToken } from '../../entities/first-call/new-token.tsx'
import { useFirstCall, useFirstToken } from '../../entities/first-call/use-first-call.ts'
import { paths } from '../../entities/paths.ts'
import { gatewayClientId } from '../../entities/user/protected-users.ts'
import { reasonOf } from '../../lib/calls/call-error.ts'
import { useCan } from '../../lib/session/session.tsx'
import { FormCard } from '../../ui/form/form-card.tsx'
import type { Imported, Preview } from './import-queries.ts'
import { useClientRole } from './use-role-access.ts'

interface ImportFirstCallProps {
  endpoint: Imported['endpoints'][number]
  /** Ids of the roles that got access. */
  roles: readonly number[]
  call: Preview['call']
}

/** A token, and the first call with its answer, for one of the endpoints that were made. */
export function ImportFirstCall({ endpoint, roles, call }: ImportFirstCallProps) {
  const can = useCan()
  const [token, setToken] = useState('')
  const [body, setBody] = useState(call?.body ?? '')
  const client = useClientRole(true)
  const trial = useFirstCall(() => {})
  const send = (shown: { token?: string; as_role?: number }) =>
    trial.mutate({ id: endpoint.id, query: call?.query ?? '', ...sent(call, body), ...shown })
  const creation = useFirstToken(gatewayClientId, (made) => {
    setToken(made)
    send({ token: made })
  })
  const isGuarded = endpoint.is_token_required
  const isOfClient = client !== undefined && roles.includes(client.id)
  const [role] = roles
  const label = endpoint.key
  const hasBody = !/^(?:GET|HEAD) /.test(label)

  const mayGenerate = isOfClient && can('token.create') && token === ''
  const mayActAs = role !== undefined && can('token.create') && can('token.create_any')

  return (
    <FormCard title="First call" description="Through the gateway, as a client makes it.">
      <Stack gap="sm" aria-live="polite">
        {hasBody && (
          <Textarea
            label="Body"
            autosize
            minRows={2}
            maxRows={10}
            spellCheck={false}
            dir="ltr"
            value={body}
            onChange={(event) => setBody(event.currentTarget.value)}
            styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
          />
        )}
        <Group gap="sm">
          {!isGuarded || token !== '' ? (
            <Press
              isMain={!trial.isSuccess}
              isPending={trial.isPending}
              label={trial.isSuccess ? 'Send again' : `Send ${label}`}
              onPress={() => send(token === '' ? {} : { token })}
            />
          ) : mayGenerate ? (
            <Press
              isMain
              isPending={creation.isPending}
              label="Generate a token and call it"
              onPress={() => creation.mutate()}
            />
          ) : mayActAs ? (
            <Press
              isMain={!trial.isSuccess}
              isPending={trial.isPending}
              label="Call it as this role"
              onPress={() => send({ as_role: role })}
            />
          ) : (
            <Text size="sm">
              Give a role{' '}
              <Anchor
                component={Link}
                underline="always"
                inherit
                to={`${paths.apiPart(endpoint.api_id, 'access')}?by=roles`}
              >
                access
              </Anchor>
              , and generate a{' '}
              <Anchor component={Link} underline="always" inherit to={paths.personalToken}>
                token
              </Anchor>{' '}
              for one of its users.
            </Text>
          )}
        </Group>
        {token !== '' && creation.data && (
          <NewToken token={token} holder={creation.data.user.name} />
        )}
        {trial.isSuccess && (
          <CallOutcome
            result={trial.data}
            endpoint={{ id: endpoint.id, label, isGuarded }}
            body={hasBody ? body : ''}
          />
        )}
        {creation.isError && <Refused title="Error generating token" error={creation.error} />}
        {trial.isError && <Refused title="Nothing was sent" error={trial.error} />}
      </Stack>
    </FormCard>
  )
}

function sent(call: Preview['call'], body: string) {
  const type = call?.content_type ?? ''
  return body === '' ? {} : { body, ...(type === '' ? {} : { headers: `Content-Type: ${type}` }) }
}

interface PressProps {
  label: string
  isMain: boolean
  isPending: boolean
  onPress: () => void
}

const Press = ({ label, isMain, isPending, onPress }: PressProps) => (
  <Button
    variant={isMain ? 'filled' : 'default'}
    leftSection={<IconPlayerPlay size={16} aria-hidden />}
    loading={isPending}
    onClick={onPress}
  >
    {label}
  </Button>
)

const Refused = ({ title, error }: { title: string; error: Error }) => (
  <Alert color="red" role="alert" title={title}>
    {reasonOf(error)}
  </Alert>
)
