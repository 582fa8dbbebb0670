import { Alert, Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import type { TokenDetail } from '@gatehouse/contract'
import { messageOf } from '../../lib/calls/call-error.ts'
import { ConfirmDialog } from '../../ui/dialog/confirm-dialog.tsx'
import { CopyButton } from '../../ui/text/copy-button.tsx'
import { FormCard } from '../../ui/form/form-card.tsx'
import { Moment } from '../../ui/text/moment.tsx'
import { useMakeSigningSecret, useRemoveSigningSecret } from './token-queries.ts'

type Asked = 'replace' | 'remove'

/** The secret with which the holder of a token signs requests: made, shown once, replaced and removed. */
export function SigningCard({ detail: { token, can_change } }: { detail: TokenDetail }) {
  const make = useMakeSigningSecret(token.id)
  const remove = useRemoveSigningSecret(token.id)
  const [since, setSince] = useState(token.signing_since)
  const [secret, setSecret] = useState<string>()
  const [asked, setAsked] = useState<Asked>()
  const [isWorking, setIsWorking] = useState(false)
  const [failure, setFailure] = useState<unknown>()

  async function act(what: Asked) {
    setSecret(undefined)
    setFailure(undefined)
    setIsWorking(true)
    try {
      if (what === 'remove') await remove()
      else setSecret((await make()).signing_secret)
      setSince(what === 'remove' ? null : new Date().toISOString())
    } catch (error) {
      setFailure(error)
    }
    setIsWorking(false)
    setAsked(undefined)
  }

  return (
    <FormCard title="Signed requests">
      <Text size="sm">
        {since !== null ? (
          <>
            This token has a signing secret since <Moment at={since} />. Its requests name it as{' '}
            <b dir="ltr">keyid="{String(token.id)}"</b>.
          </>
        ) : (
          'This token has no signing secret. An API that takes signed requests alone does not take it.'
        )}
      </Text>
      {failure !== undefined && (
        <Alert color="red" role="alert" title="The signing secret was not changed.">
          {messageOf(failure)}
        </Alert>
      )}
      <div aria-live="polite">{secret !== undefined && <NewSecret secret={secret} />}</div>
      {can_change && token.state === 'active' && (
        <Group gap="sm">
          {since !== null ? (
            <>
              <Button variant="default" disabled={isWorking} onClick={() => setAsked('replace')}>
                Replace the signing secret
              </Button>
              <Button
                variant="subtle"
                color="red"
                disabled={isWorking}
                onClick={() => setAsked('remove')}
              >
                Remove it
              </Button>
            </>
          ) : (
            <Button variant="default" loading={isWorking} onClick={() => void act('replace')}>
              Make a signing secret
            </Button>
          )}
        </Group>
      )}
      <ConfirmDialog
        isOpen={asked !== undefined}
        title={asked === 'remove' ? 'Remove the signing secret?' : 'Replace the signing secret?'}
        confirmLabel={asked === 'remove' ? 'Remove' : 'Replace'}
        isWorking={isWorking}
        onConfirm={() => void (asked && act(asked))}
        onClose={() => setAsked(undefined)}
      >
        <Text size="sm">
          What was signed with the secret is refused from the next call on. This cannot be undone.
        </Text>
      </ConfirmDialog>
    </FormCard>
  )
}

function NewSecret({ secret }: { secret: string }) {
  return (
    <Stack gap={6}>
      <TextInput
        label="Signing secret"
        readOnly
        value={secret}
        onFocus={(event) => event.currentTarget.select()}
        styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
      />
      <Group gap="sm">
        <CopyButton text={secret} label="Copy" description="the signing secret" />
        <Text size="sm">Copy it now: it is shown this once. Its text is the key.</Text>
      </Group>
    </Stack>
  )
}
