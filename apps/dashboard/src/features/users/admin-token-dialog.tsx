import {
  Alert,
  Button,
  Group,
  MultiSelect,
  NumberInput,
  Stack,
  Text,
  TextInput,
} from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState, type SubmitEvent } from 'react'
import { CodeField } from '../../entities/second-factor/code-field.tsx'
import { CallError, messageOf } from '../../lib/call-error.ts'
import { useUser } from '../../lib/session.tsx'
import { useFieldErrors } from '../../lib/use-field-errors.ts'
import { CopyButton } from '../../ui/copy-button.tsx'
import { DialogFrame } from '../../ui/dialog-frame.tsx'
import { PasswordField } from '../../ui/password-field.tsx'
import { accountQueries, useCreateAdminToken } from './account-queries.ts'

const daysDefault = 90
const blank = {
  name: '',
  permissions: [] as string[],
  expires_in_days: daysDefault as number | string,
  current_password: '',
  code: '',
}

/** Makes a token for a program, and shows it once. */
export function AdminTokenDialog({ onClose }: { onClose: () => void }) {
  const [token, setToken] = useState<string>()
  return (
    <DialogFrame isOpen title="New token for a program" onClose={onClose} width={560}>
      {token === undefined ? (
        <AdminTokenForm onMade={setToken} onCancel={onClose} />
      ) : (
        <>
          <Text size="sm">
            Copy it now: it is shown this once. The program sends it as <b>Authorization: Bearer</b>
            .
          </Text>
          <TextInput
            label="Token"
            readOnly
            value={token}
            onFocus={(event) => event.currentTarget.select()}
            styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
          />
          <Group justify="space-between">
            <CopyButton text={token} label="Copy" description="the new token" />
            <Button onClick={onClose}>I have kept it</Button>
          </Group>
        </>
      )}
    </DialogFrame>
  )
}

interface AdminTokenFormProps {
  onMade: (token: string) => void
  onCancel: () => void
}

function AdminTokenForm({ onMade, onCancel }: AdminTokenFormProps) {
  const { permissions } = useUser()
  const [values, setValues] = useState(blank)
  const hasSecondFactor = useQuery(accountQueries.secondFactor()).data?.since != null
  const creation = useCreateAdminToken()
  const { errors, attachForm, showErrors, clearErrors } = useFieldErrors()
  const failure = creation.error
  const isOtherFailure = failure && !(failure instanceof CallError && failure.status === 422)

  async function handleSubmit(event: SubmitEvent) {
    event.preventDefault()
    clearErrors()
    try {
      const expires_in_days = Number(values.expires_in_days)
      const { token } = await creation.mutateAsync({ ...values, expires_in_days })
      onMade(token)
    } catch (error) {
      showErrors(error)
    }
  }

  return (
    <form
      ref={attachForm}
      noValidate
      autoComplete="off"
      onSubmit={(event) => void handleSubmit(event)}
    >
      <Stack gap="md">
        {isOtherFailure && (
          <Alert color="red" role="alert">
            {messageOf(failure)}
          </Alert>
        )}
        <TextInput
          label="Name"
          data-autofocus
          maxLength={100}
          value={values.name}
          onChange={(event) => setValues({ ...values, name: event.currentTarget.value })}
          error={errors['name']}
        />
        <MultiSelect
          label="Permissions"
          description="It opens what you give it, and no more than you hold yourself on that day."
          data={permissions}
          searchable
          hidePickedOptions
          limit={100}
          value={values.permissions}
          onChange={(chosen) => setValues({ ...values, permissions: chosen })}
          error={errors['permissions']}
        />
        <NumberInput
          label="Expiry in days"
          min={1}
          max={365}
          value={values.expires_in_days}
          onChange={(days) => setValues({ ...values, expires_in_days: days })}
          error={errors['expires_in_days']}
        />
        <PasswordField
          label="Current Password"
          autoComplete="current-password"
          value={values.current_password}
          onChange={(event) =>
            setValues({ ...values, current_password: event.currentTarget.value })
          }
          error={errors['current_password']}
        />
        {(hasSecondFactor || errors['code'] !== undefined) && (
          <CodeField
            value={values.code}
            onChange={(event) => setValues({ ...values, code: event.currentTarget.value })}
            error={errors['code']}
          />
        )}
        <Group justify="flex-end" gap="sm">
          <Button variant="default" onClick={onCancel}>
            Cancel
          </Button>
          <Button type="submit" loading={creation.isPending}>
            Make token
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
