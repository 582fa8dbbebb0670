import { Alert, Button, Group, Select, Stack, Text, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState, type SubmitEvent } from 'react'
import type { RoleOption } from '@gatehouse/contract'
import {
  presetsWithin,
  type PermissionPreset,
} from '../../entities/permission/permission-presets.ts'
import { CallError, messageOf } from '../../lib/calls/call-error.ts'
import { notifySuccess, notifyWarning } from '../../lib/page/notify.tsx'
import { useCan, useUser } from '../../lib/session/session.tsx'
import { useFieldErrors } from '../../lib/forms/use-field-errors.ts'
import { DialogFrame } from '../../ui/dialog/dialog-frame.tsx'
import { InvitationLink } from './invitation-link.tsx'
import { useInvite, userQueries } from './user-queries.ts'
import { usersMessages } from './users-messages.ts'
import { neededField } from '../../ui/form/field-looks.ts'

/** Invites a person: an e-mail address and a role. Where no e-mail takes the link there, it is shown once. */
export function InviteDialog({ onClose }: { onClose: () => void }) {
  const [link, setLink] = useState<{ link: string; email: string }>()
  return (
    <DialogFrame isOpen title="Invite" onClose={onClose}>
      {link === undefined ? (
        <InviteForm onLink={setLink} onClose={onClose} />
      ) : (
        <InvitationLink {...link} onClose={onClose} />
      )}
    </DialogFrame>
  )
}

interface InviteFormProps {
  onLink: (made: { link: string; email: string }) => void
  onClose: () => void
}

function InviteForm({ onLink, onClose }: InviteFormProps) {
  const [values, setValues] = useState({ email: '', role: null as string | null, name: '' })
  const form = useQuery(userQueries.create())
  const roles = form.data?.roles ?? []
  const presets = usePresets(roles)
  const invite = useInvite()
  const { errors, attachForm, showErrors, clearError, clearErrors } = useFieldErrors()
  const [failure, setFailure] = useState<unknown>()

  async function handleSubmit(event: SubmitEvent) {
    event.preventDefault()
    clearErrors()
    setFailure(undefined)
    try {
      const preset = presets.find(({ label }) => label === values.role)
      const user = await invite.mutateAsync({ ...values, preset })
      if (user.invitation_link) return onLink({ link: user.invitation_link, email: user.email })
      if (user.mail_problem) notifyWarning(usersMessages.notInvited, user.mail_problem)
      else notifySuccess(usersMessages.invite.done)
      onClose()
    } catch (error) {
      showErrors(error)
      const isShown = error instanceof CallError && error.status === 422
      setFailure(isShown ? undefined : error)
    }
  }
  const set = (field: 'email' | 'role' | 'name', value: string | null) => {
    clearError(field === 'role' ? 'roles' : field)
    setValues((now) => ({ ...now, [field]: value ?? (field === 'role' ? null : '') }))
  }
  return (
    <form
      ref={attachForm}
      noValidate
      autoComplete="off"
      onSubmit={(event) => void handleSubmit(event)}
    >
      <Stack gap="md">
        <TextInput
          label="Email"
          type="email"
          {...neededField}
          data-autofocus
          value={values.email}
          error={errors['email']}
          onChange={(event) => set('email', event.currentTarget.value)}
        />
        <Select
          label="Role"
          {...neededField}
          searchable
          placeholder="Choose a role"
          nothingFoundMessage="No other role of that name"
          data={choicesOf(roles, presets)}
          value={values.role}
          error={errors['roles']}
          onChange={(role) => set('role', role)}
        />
        <TextInput
          label="Name"
          description="Blank takes the e-mail address before the @."
          maxLength={100}
          value={values.name}
          error={errors['name']}
          onChange={(event) => set('name', event.currentTarget.value)}
        />
        <Text size="sm" c="dimmed">
          {form.data?.sends_invitations
            ? 'A link goes there by e-mail. It counts once, within 7 days, and the person chooses the password.'
            : 'You get a link to pass on. It counts once, within 7 days, and the person chooses the password.'}
        </Text>
        {failure !== undefined && (
          <Alert color="red" role="alert" title="Nobody was invited">
            {messageOf(failure)}
          </Alert>
        )}
        <Group justify="flex-end" gap="sm">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" loading={invite.isPending}>
            Invite
          </Button>
        </Group>
      </Stack>
    </form>
  )
}

/** Presets of which there is no role yet, for users who may make one. */
function usePresets(roles: readonly RoleOption[]): PermissionPreset[] {
  const can = useCan()
  const { permissions } = useUser()
  if (!can('role.create')) return []
  const names = new Set(roles.map(({ name }) => name.toLowerCase()))
  return presetsWithin(new Set(permissions)).filter(({ label }) => !names.has(label.toLowerCase()))
}

function choicesOf(roles: readonly RoleOption[], presets: readonly PermissionPreset[]) {
  const own = roles.map(({ id, name }) => ({ value: String(id), label: name }))
  if (presets.length === 0) return own
  const made = presets.map(({ label }) => ({ value: label, label }))
  return [
    { group: 'Roles', items: own },
    { group: 'New role', items: made },
  ]
}
