import { Alert, Button, Group, Input, NumberInput, Stack, Text, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useCallback, useId, useMemo, useState, type SubmitEvent } from 'react'
import { permissionGroups } from '@gatehouse/contract/permissions'
import { groupsOf, type Chosen } from '../../entities/permission/permission-choice.ts'
import { PermissionPicker } from '../../entities/permission/permission-picker.tsx'
import { CodeField } from '../../entities/second-factor/code-field.tsx'
import { CallError, messageOf } from '../../lib/calls/call-error.ts'
import { useUser } from '../../lib/session/session.tsx'
import { useFieldErrors } from '../../lib/forms/use-field-errors.ts'
import { CopyButton } from '../../ui/text/copy-button.tsx'
import { DialogFrame } from '../../ui/dialog/dialog-frame.tsx'
import { PasswordField } from '../../ui/form/password-field.tsx'
import { accountQueries, useCreateAdminToken } from './account-queries.ts'
import { neededField } from '../../ui/form/field-looks.ts'

const daysDefault = 90
const blank = {
  name: '',
  permissions: new Set<string>() as Chosen,
  expires_in_days: daysDefault as number | string,
  current_password: '',
  code: '',
}

/** Makes a token for a program, and shows it once. */
export function AdminTokenDialog({ onClose }: { onClose: () => void }) {
  const [token, setToken] = useState<string>()
  return (
    <DialogFrame isOpen title="New token for a program" onClose={onClose} width={720}>
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
  const [values, setValues] = useState(blank)
  const hasSecondFactor = useQuery(accountQueries.secondFactor()).data?.since != null
  const creation = useCreateAdminToken()
  const { errors, attachForm, showErrors, clearErrors } = useFieldErrors()
  const failure = creation.error
  const isOtherFailure = failure && !(failure instanceof CallError && failure.status === 422)

  const handlePermissions = useCallback(
    (change: (chosen: Chosen) => Chosen) =>
      setValues((current) => ({ ...current, permissions: change(current.permissions) })),
    [],
  )

  async function handleSubmit(event: SubmitEvent) {
    event.preventDefault()
    clearErrors()
    try {
      const expires_in_days = Number(values.expires_in_days)
      const permissions = [...values.permissions]
      const { token } = await creation.mutateAsync({ ...values, permissions, expires_in_days })
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
          {...neededField}
          data-autofocus
          maxLength={100}
          value={values.name}
          onChange={(event) => setValues({ ...values, name: event.currentTarget.value })}
          error={errors['name']}
        />
        <PermissionsField
          chosen={values.permissions}
          onChange={handlePermissions}
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

/** The browser's own frame is not shown, and does not keep a narrow dialog wide. */
const bare = { minWidth: 0, margin: 0, padding: 0, border: 0 }

interface PermissionsFieldProps {
  chosen: Chosen
  onChange: (change: (chosen: Chosen) => Chosen) => void
  error: string | undefined
}

/** Those that the user holds: a token can't open more. */
function PermissionsField({ chosen, onChange, error }: PermissionsFieldProps) {
  const { permissions } = useUser()
  const labelId = useId()
  const groups = useMemo(() => groupsOf(permissions, permissionGroups), [permissions])
  const grantable = useMemo(() => new Set(permissions), [permissions])
  return (
    <fieldset aria-labelledby={labelId} style={bare}>
      <Input.Wrapper
        label="Permissions"
        labelElement="div"
        labelProps={{ id: labelId }}
        description="It opens what you give it, and no more than you hold yourself on that day."
        descriptionProps={{ mb: 'sm' }}
      >
        <PermissionPicker
          groups={groups}
          chosen={chosen}
          grantable={grantable}
          onChange={onChange}
          error={error}
          isBounded
        />
      </Input.Wrapper>
    </fieldset>
  )
}
