import { Alert, Button, Group, Select, SimpleGrid, Stack, Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useQuery } from '@tanstack/react-query'
import { useState, type SubmitEvent } from 'react'
import { CallError, messageOf } from '../../lib/calls/call-error.ts'
import { firstMessages } from '../../lib/forms/field-errors.ts'
import { partOf } from '../../lib/forms/form-part.ts'
import { gatewayClientId } from '../../entities/user/protected-users.ts'
import { useScreenAddress } from '../../lib/page/screen-address.ts'
import { CopyButton } from '../../ui/text/copy-button.tsx'
import { Fold } from '../../ui/page/fold.tsx'
import { FormCard } from '../../ui/form/form-card.tsx'
import { RadioChoice } from '../../ui/form/radio-choice.tsx'
import { AgentConnection, AgentScope } from './lazy-agent-parts.tsx'
import { LimitFields } from './lazy-limit-fields.tsx'
import { limitsNothing, noLimitValues, toLimitsBody } from './limit-values.ts'
import { tokenQueries, useCreateToken, type NewToken } from './token-queries.ts'
import { tokensMessages } from './tokens-messages.ts'

const daysDefault = '365'
const initialValues = {
  user: String(gatewayClientId),
  name: '',
  expires_in_days: daysDefault,
  limits: noLimitValues,
  purpose: 'program',
}

const purposes = [
  { value: 'program', label: 'For a program' },
  { value: 'agent', label: 'For an agent' },
]
/** An agent is given a shorter end. */
const agentDaysDefault = '90'

/** The box and the button; beneath them for whom, name and expiry (spec: personal-token). */
export function TokenGenerator() {
  const owner = useAddressedOwner()
  const form = useForm({ mode: 'controlled', initialValues: { ...initialValues, user: owner } })
  const creation = useCreateToken()
  const owners = useQuery(tokenQueries.owners())
  const [token, setToken] = useState<NewToken>()
  const limits = partOf(form, 'limits')
  const isForAgent = form.values.purpose === 'agent'

  function handlePurpose(purpose: string) {
    const [from, to] =
      purpose === 'agent' ? [daysDefault, agentDaysDefault] : [agentDaysDefault, daysDefault]
    const { expires_in_days } = form.values
    setToken(undefined)
    form.setValues({
      purpose,
      limits: noLimitValues,
      expires_in_days: expires_in_days === from ? to : expires_in_days,
    })
  }

  async function handleGenerate(event: SubmitEvent) {
    event.preventDefault()
    if (creation.isPending) return
    // Neither a failure nor the next success may leave an earlier token standing as if it were new.
    setToken(undefined)
    form.clearErrors()
    try {
      const { limits, user, purpose, ...others } = form.values
      const { access_token } = await creation.mutateAsync({
        ...others,
        user: Number(user),
        ...(limitsNothing(limits) ? {} : { limits: toLimitsBody(limits) }),
        ...(purpose === 'agent' ? { is_for_agent: true } : {}),
      })
      setToken(access_token)
    } catch (error) {
      if (error instanceof CallError) form.setErrors(firstMessages(error.errors))
    }
  }

  return (
    <form onSubmit={(event) => void handleGenerate(event)} noValidate autoComplete="off">
      <FormCard title="New token">
        <RadioChoice
          label="What it is for"
          choices={purposes}
          value={form.values.purpose}
          onChange={handlePurpose}
        />
        <TokenBox token={token} isWorking={creation.isPending} />
        {token && isForAgent && <AgentConnection key={token.id} token={token.token} />}
        {creation.isError && (
          <Alert color="red" role="alert" title={tokensMessages.failed}>
            {messageOf(creation.error)}
          </Alert>
        )}
        <SimpleGrid cols={{ base: 1, xs: 3 }}>
          <Select
            label="For whom"
            data={(owners.data ?? []).map(({ id, name }) => ({ value: String(id), label: name }))}
            searchable
            limit={50}
            allowDeselect={false}
            placeholder={owners.isPending ? 'Loading...' : `User ${form.values.user}`}
            nothingFoundMessage="No user of that name"
            {...form.getInputProps('user')}
          />
          <TextInput label="Name" maxLength={100} {...form.getInputProps('name')} />
          <TextInput
            label="Expiry in days"
            inputMode="numeric"
            {...form.getInputProps('expires_in_days')}
          />
        </SimpleGrid>
        {isForAgent ? (
          <AgentScope part={limits} owner={Number(form.values.user)} />
        ) : (
          <Fold title="Limits" isOpenWhen={limits.hasErrorIn('')}>
            <Stack gap="md">
              <LimitFields part={limits} owner={Number(form.values.user)} />
            </Stack>
          </Fold>
        )}
      </FormCard>
    </form>
  )
}

/** For whom, as a link says (`?for=7`); else the gateway client (spec: limits). */
function useAddressedOwner(): string {
  const owner = useScreenAddress().address.get('for') ?? ''
  return /^[1-9]\d{0,9}$/.test(owner) ? owner : initialValues.user
}

interface TokenBoxProps {
  token: NewToken | undefined
  isWorking: boolean
}

function TokenBox({ token, isWorking }: TokenBoxProps) {
  return (
    <Stack gap={6}>
      <Group gap="sm" align="flex-end">
        <TextInput
          label="Token"
          readOnly
          placeholder={tokensMessages.placeholder}
          value={token?.token ?? ''}
          onFocus={(event) => event.currentTarget.select()}
          flex="1 1 16rem"
          styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
        />
        <Button type="submit" disabled={isWorking}>
          {isWorking ? tokensMessages.generating : tokensMessages.generate}
        </Button>
      </Group>
      <div aria-live="polite">
        {token && (
          <Group gap="sm">
            <CopyButton text={token.token} label="Copy" description="the new token" />
            <Text size="sm">
              Copy it now: it is shown this once. It calls the gateway as <b>{token.user.name}</b>.
            </Text>
          </Group>
        )}
      </div>
    </Stack>
  )
}
